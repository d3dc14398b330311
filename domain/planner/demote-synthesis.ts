import { isPlainObject } from './plain-object.ts';

/**
 * Models also call a summary in the middle a synthesis. A synthesis with dependents cannot run last, so it becomes an ordinary subtask.
 * A person who writes such a plan gets an error instead.
 */
export function demoteSynthesis(subtasks: readonly unknown[]): { subtasks: unknown[]; demoted: string[] } {
  const needed = new Set(
    subtasks.flatMap((subtask): unknown[] => {
      const on = isPlainObject(subtask) ? subtask['dependsOn'] : undefined;
      return Array.isArray(on) && isPlainObject(subtask) ? on.filter((id) => id !== subtask['id']) : [];
    }),
  );
  const demoted: string[] = [];
  const normal = subtasks.map((subtask) => {
    if (!isPlainObject(subtask) || subtask['synthesis'] !== true || !needed.has(subtask['id'])) return subtask;
    demoted.push(String(subtask['id']));
    return { ...subtask, synthesis: false };
  });
  return { subtasks: normal, demoted };
}
