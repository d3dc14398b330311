import { lookingTools } from '../executors/agent.ts';
import { isPlainObject } from './plain-object.ts';

const looking: readonly unknown[] = lookingTools;

const inspection = {
  description:
    'Look at the workspace before anything is changed: which files matter for the goal, how they are built, what is missing or unclear. Change nothing. Report what you found in your notes.',
};

/**
 * Acting on what nobody has looked at is the first mistake of a plan: one without a root that only reads gets such a root, and all others
 * wait for it. `agent` says whether an agent can do it; else whoever does the other subtasks is told to change nothing.
 */
export function groundPlan(subtasks: readonly unknown[], { agent }: { agent: boolean }): unknown[] {
  const prepared = subtasks.map((subtask) => (agent ? readingOnly(subtask) : subtask));
  if (prepared.some((subtask) => isRoot(subtask) && onlyReads(subtask))) return prepared;
  const id = freeId(subtasks);
  const first = { id, ...inspection, ...(agent ? { executor: readOnlyAgent } : {}) };
  return [first, ...prepared.map((subtask) => (isRoot(subtask) ? { ...subtask, dependsOn: [id] } : subtask))];
}

const readOnlyAgent = { kind: 'agent', tools: lookingTools };

/** A root of this name that writes nothing is the inspection that was asked for: it is held to that. */
function readingOnly(subtask: unknown): unknown {
  if (!isRoot(subtask) || subtask['id'] !== 'inspect' || hasEntries(subtask['deliverables'])) return subtask;
  return onlyReads(subtask) ? subtask : { ...subtask, executor: readOnlyAgent };
}

const isRoot = (subtask: unknown): subtask is Record<string, unknown> =>
  isPlainObject(subtask) && !hasEntries(subtask['dependsOn']);

function onlyReads({ executor, deliverables }: Record<string, unknown>): boolean {
  if (!isPlainObject(executor) || executor['kind'] !== 'agent' || hasEntries(deliverables)) return false;
  const { tools } = executor;
  return Array.isArray(tools) && tools.every((tool) => looking.includes(tool));
}

const hasEntries = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

function freeId(subtasks: readonly unknown[]): string {
  const taken = new Set(subtasks.map((subtask) => (isPlainObject(subtask) ? subtask['id'] : undefined)));
  let id = 'inspect';
  for (let number = 2; taken.has(id); number += 1) id = `inspect-${number}`;
  return id;
}
