import type { ExecuteInput } from '../../domain/model/attempt.ts';
import type { Restored } from '../../domain/model/outcome.ts';
import { HeddleError } from '../../domain/heddle-error.ts';
import { limits } from '../../domain/limits.ts';
import type { AttemptParts } from '../workspace/snapshots/attempt-snapshots.ts';
import { undoTask } from '../workspace/undo/undo-task.ts';
import { openWorktree, removeWorktree } from '../workspace/worktree/worktree.ts';
import type { RunningPaths } from '../home-layout.ts';
import { readRecord } from '../attempt/running-record.ts';

/** The place where an attempt works, and what was brought back there before it. */
export interface Entered {
  input: ExecuteInput;
  restored?: Restored;
}

/** Brings the subtask's files back where the rung says so, and gives it its own copy of the workspace where the plan says so. */
export async function enterWorkspace(parts: AttemptParts, input: ExecuteInput, paths: RunningPaths): Promise<Entered> {
  // An attempt that a crash cut off has begun: its files are its own.
  const restores = input.restore === true && (await readRecord(paths)) === undefined;
  const restored = restores ? { restored: await restoreFiles(parts, input) } : {};
  if (input.isolation !== 'worktree') return { input, ...restored };
  const { folder } = await openWorktree(parts, input);
  return { input: { ...input, workspace: folder }, ...restored };
}

async function restoreFiles(parts: AttemptParts, input: ExecuteInput): Promise<Restored> {
  const { taskId: task, subtaskId: subtask } = input;
  if (input.isolation === 'worktree') await removeWorktree(parts, input);
  try {
    const options = { ended: true, subtaskKnown: true, timeout: limits.worktreeTimeout };
    const undone = await undoTask(parts, { task, subtask }, options);
    return { files: undone?.files.length ?? 0 };
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error;
    // Not sure is no reason to stop: the attempt edits what is there, as on any other rung, and its record says so.
    parts.logger.warn('the files of a subtask could not be brought back', { task, subtask, reason: error.message });
    return { refused: error.message };
  }
}
