import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { TaskDiff } from '../../domain/types/basic/workspace.ts';
import { checkSubtask } from '../start/check-subtask.ts';
import type { FilesPort } from '../ports/files.ts';
import { nothingHere, readTaskStatus, type Nothing, type Target, type WithClient } from './task-state.ts';

export interface DiffUse {
  files: Pick<FilesPort, 'diffTask'>;
  withClient: WithClient;
  /** Told why the task's state is not known. */
  onUnknown: (reason: string) => void;
}

/** Reads the changes of a task or subtask. The snapshots are on this machine: no server is needed for a task that they know. */
export async function diffTask(
  { files, withClient, onUnknown }: DiffUse,
  target: Target,
): Promise<{ diff: TaskDiff; patch: Uint8Array } | { nothing: Nothing & Pick<TaskDiff, 'repositories'> }> {
  const { task, subtask } = target;
  const subject = { task, subtask: subtask ?? null };
  const result = await files.diffTask(subject, { isInPlan: false }).catch(async (error: unknown) => {
    // A subtask of the plan that has not run has changed nothing.
    if (!(error instanceof HeddleError) || error.code !== 'SUBTASK_NOT_FOUND') throw error;
    const status = await readTaskStatus(withClient, task, onUnknown);
    if (status === undefined) throw error;
    checkSubtask(status, subtask);
    return files.diffTask(subject, { isInPlan: true });
  });
  if (result !== undefined) return result;
  const status = await withClient((client) => client.task(task).status());
  return { nothing: { ...nothingHere(status, target, 'diff'), repositories: [] } };
}
