import type { UndoAnswer } from '../../domain/types/basic/workspace.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { checkSubtask } from '../start/check-subtask.ts';
import type { FilesPort } from '../ports/files.ts';
import { isTaskOpen } from './is-task-open.ts';
import { nothingHere, running, readTaskStatus, type Nothing, type Target, type WithClient } from './task-state.ts';

export interface UndoUse {
  files: Pick<FilesPort, 'undoTask'>;
  withClient: WithClient;
  /** Told why the task's state is not known. */
  onUnknown: (reason: string) => void;
}

/** Brings the files back to how they were before a task or subtask changed them. */
export async function undoTask(
  { files, withClient, onUnknown }: UndoUse,
  target: Target,
  options: { dryRun: boolean; force: boolean },
): Promise<{ answer: UndoAnswer } | { nothing: Nothing }> {
  const { task, subtask } = target;
  const status = await readTaskStatus(withClient, task, onUnknown);
  // The subtasks of a task that the server ended while no worker is responding are not known: then the snapshots say which there are.
  const isInPlan = status !== undefined && status.subtasks.length > 0;
  if (isInPlan) checkSubtask(status, subtask);
  if (status !== undefined) refuseRunning(status, subtask);
  const answer = await files.undoTask(
    { task, subtask: subtask ?? null },
    { ...options, ended: status !== undefined, isInPlan, isOpen: (other) => isTaskOpen(withClient, other) },
  );
  if (answer !== undefined) return { answer };
  const current = status ?? (await withClient((client) => client.task(task).status()));
  return { nothing: nothingHere(current, target, 'undo') };
}

/** Nothing of an ended task runs, whatever its last status says of a subtask. */
function refuseRunning({ id, endedAt, subtasks }: StatusView, subtask: string | undefined): void {
  if (endedAt !== null) return;
  const runs = subtasks.some((each) => each.id === subtask && each.state === 'running');
  if (subtask === undefined) throw running(`The task ${id} has not ended`, id);
  if (runs) throw running(`${subtask} of the task ${id} is still running`, id);
}
