import type { Restored } from '../../domain/types/outcome.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { AttemptParts } from '../workspace/snapshots/attempt-snapshots.ts';
import { undoTask } from '../workspace/undo/undo-task.ts';
import { openWorktree, removeWorktree } from '../workspace/worktree/worktree.ts';
import type { AttemptPaths } from '../home/home-layout.ts';
import type { AttemptWorkspace } from '../attempt/open-attempt.ts';
import { readRecord } from '../attempt/running-record.ts';
import type { Attempt } from '../attempt/attempt.ts';

/** Brings the subtask's files back when the rung asks for it, and opens its own copy of the workspace when the plan asks for one. */
export async function enterWorkspace(
  parts: AttemptParts,
  { input, subtask, inGenerated = [], paths }: Attempt,
): Promise<AttemptWorkspace> {
  const owner = { taskId: input.taskId, subtaskId: input.subtaskId, workspace: input.workspace };
  const isolated = subtask.isolation === 'worktree';
  const restores = input.restore === true && !(await hasBegun(paths, input.startedAt));
  if (restores && isolated) await removeWorktree(parts, owner);
  const restored = restores ? { restored: await restoreFiles(parts, owner) } : {};
  const { deliverables } = subtask;
  if (!isolated) return { workspace: input.workspace, deliverables, ...restored };
  const { folder } = await openWorktree(parts, owner, [...deliverables, ...inGenerated]);
  return { workspace: folder, deliverables, ...restored };
}

/** The files of an attempt that has begun are its own. After a reset of the workflow it is another attempt with the same number. */
async function hasBegun(paths: AttemptPaths, startedAt: string): Promise<boolean> {
  const record = await readRecord(paths);
  return record === 'unreadable' || record?.startedAt === startedAt;
}

async function restoreFiles(
  parts: AttemptParts,
  { taskId: task, subtaskId: subtask }: { taskId: string; subtaskId: string },
): Promise<Restored> {
  const refuse = (reason: string): Restored => {
    // Not sure is no reason to stop: the attempt edits what is there, as on any other rung, and its record says so.
    parts.logger.warn('the files of a subtask could not be brought back', { task, subtask, reason });
    return { refused: reason };
  };
  try {
    const undone = await undoTask(parts, { task, subtask }, { ended: true, timeout: limits.worktreeTimeout });
    return undone === undefined
      ? refuse('There are no snapshots of this task on this host')
      : { files: undone.files.length };
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    return refuse(error.message);
  }
}
