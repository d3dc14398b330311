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
  const prepared = subtasks.map((subtask) => (agent ? limitToReading(subtask) : subtask));
  if (prepared.some((subtask) => isRoot(subtask) && isReadOnly(subtask))) return prepared;
  const id = freeId(subtasks);
  const first = { id, ...inspection, ...(agent ? { executor: readOnlyAgent } : {}) };
  return [first, ...prepared.map((subtask) => (isRoot(subtask) ? { ...subtask, dependsOn: [id] } : subtask))];
}

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
