import type { Subtask } from '../types/subtask.ts';
import type { ForeignSchema } from './name-tools.ts';
import { fitsPattern, isPattern } from '../text/tool-name.ts';
import type { ToolServer } from '../types/basic/tool-server.ts';

type Working = Pick<Subtask, 'executor'>;

/** The servers that an agent of these subtasks may use: the others are never started. */
export const selectServers = (subtasks: readonly Working[], servers: readonly ToolServer[]): ToolServer[] =>
  servers.filter((server) => subtasks.some(({ executor }) => mayUse(executor, server)));

/** Decides if any agent of these subtasks may use tools that are not Heddle's. */
export const usesServers = (subtasks: readonly Working[]): boolean =>
  subtasks.some(({ executor }) => executor.kind === 'agent' && executor.foreign?.length !== 0);

function mayUse(executor: Subtask['executor'], { name, via }: ToolServer): boolean {
  if (executor.kind !== 'agent') return false;
  if (executor.foreign === undefined) return true;
  // The names of a file's tools are known when it is loaded.
  const start = via.kind === 'file' ? '' : `mcp__${name}__`;
  return executor.foreign.some((entry) => {
    const prefix = isPattern(entry) ? entry.slice(0, entry.indexOf('*')) : entry;
    return prefix.startsWith(start) || (isPattern(entry) && start.startsWith(prefix));
  });
}

/** The tools of servers that an agent is given. */
export const selectTools = (foreign: readonly string[] | undefined, tools: readonly ForeignSchema[]): ForeignSchema[] =>
  tools.filter(({ name }) => foreign === undefined || fitsPattern(name, foreign));

/** Entries of `tools` that no tool has. A pattern may fit none. */
export const findMissingTools = (foreign: readonly string[] = [], tools: readonly ForeignSchema[]): string[] =>
  foreign.filter((entry) => !isPattern(entry) && tools.every(({ name }) => name !== entry));
