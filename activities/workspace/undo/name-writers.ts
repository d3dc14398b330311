import type { Attribution } from '../../../domain/workspace/attribution.ts';
import type { WorkspaceSubject } from '../../../domain/types/basic/workspace.ts';

/** Names the writer of a change, as seen from a task: its own subtasks by their ids, others with their task. */
export function nameWriters({ by, orSomebody }: Attribution, { task }: Pick<WorkspaceSubject, 'task'>): string[] {
  const names = by.map((writer) => {
    const who = writer.task === task ? (writer.subtask ?? `the task ${task}`) : formatOther(writer);
    return writer.undo ? `an undo of ${who}` : who;
  });
  return [...new Set([...names, ...(orSomebody ? ['someone else'] : [])])];
}

const formatOther = ({ task, subtask }: { task: string; subtask: string | null }): string =>
  subtask === null ? `the task ${task}` : `${subtask} of the task ${task}`;

export const formatEither = (names: readonly string[]): string => names.join(' or ');
