import { readOnlyTools } from '../executors/agent.ts';
import { isPlainObject } from './plain-object.ts';

const readOnlyNames: readonly unknown[] = readOnlyTools;

const inspection = {
  description:
    'Read the workspace before anything is changed: which files matter for the goal, how they are built, what is missing or unclear. Change nothing. Report your findings in your notes.',
};

/**
 * A plan that acts on files nobody has read fails early. So a plan without a root that only reads gets such a root, and all other subtasks
 * wait for it. Without `agent`, the usual executor gets the instruction to change nothing.
 */
export function groundPlan(subtasks: readonly unknown[], { agent }: { agent: boolean }): unknown[] {
  const prepared = agent ? subtasks.map(limitToReading) : withoutAgents(subtasks);
  if (subtasks.some(isInspection) || prepared.some(isInspection)) return prepared;
  const id = freeId(subtasks);
  const first = { id, ...inspection, ...(agent ? { executor: readOnlyAgent } : {}) };
  return [first, ...prepared.map((subtask) => (isRoot(subtask) ? { ...subtask, dependsOn: [id] } : subtask))];
}

/** Gives the work of agents to the usual executor, for tasks without a model that takes tools. It is told where it must only read. */
export const withoutAgents = (subtasks: readonly unknown[]): unknown[] =>
  subtasks.map((subtask) => {
    if (!isPlainObject(subtask) || !isAgent(subtask)) return subtask;
    const { executor: _, ...rest } = subtask;
    if (!isReadOnly(subtask) || typeof rest['description'] !== 'string') return rest;
    return { ...rest, description: `${rest['description']}\n\n${onlyRead}` };
  });

/** Recognises a subtask with tools that only read. */
export const isReading = (subtask: unknown): boolean => isPlainObject(subtask) && isReadOnly(subtask);

const isInspection = (subtask: unknown): boolean => isRoot(subtask) && isReadOnly(subtask);

const isAgent = ({ executor }: Record<string, unknown>): boolean =>
  executor === 'agent' || (isPlainObject(executor) && executor['kind'] === 'agent');

const onlyRead = 'Only read. Change nothing. Report your findings in your notes.';

const readOnlyAgent = { kind: 'agent', tools: readOnlyTools };

/** A root named like the requested inspection that writes nothing is limited to reading. */
function limitToReading(subtask: unknown): unknown {
  if (!isRoot(subtask) || subtask['id'] !== 'inspect' || hasEntries(subtask['deliverables'])) return subtask;
  return isReadOnly(subtask) ? subtask : { ...subtask, executor: readOnlyAgent };
}

const isRoot = (subtask: unknown): subtask is Record<string, unknown> =>
  isPlainObject(subtask) && !hasEntries(subtask['dependsOn']);

function isReadOnly({ executor, deliverables }: Record<string, unknown>): boolean {
  if (!isPlainObject(executor) || executor['kind'] !== 'agent' || hasEntries(deliverables)) return false;
  const { tools } = executor;
  return Array.isArray(tools) && tools.every((tool) => readOnlyNames.includes(tool));
}

const hasEntries = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

function freeId(subtasks: readonly unknown[]): string {
  const taken = new Set(subtasks.map((subtask) => (isPlainObject(subtask) ? subtask['id'] : undefined)));
  let id = 'inspect';
  for (let number = 2; taken.has(id); number += 1) id = `inspect-${number}`;
  return id;
}
