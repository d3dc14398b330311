import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { MergeInput, Verdict } from '../../domain/types/attempt.ts';
import { toFailure } from '../temporal/failure.ts';
import { machineFailure } from '../temporal/transient-failure.ts';
import { isSystemError } from '../system/system-error.ts';
import { definitionFrom } from '../pages/plan-pages.ts';
import { SnapshotTrouble } from '../workspace/git/snapshot-trouble.ts';
import { conclude } from './conclude.ts';
import { lostWork } from './lost-work.ts';
import type { VerifyParts } from './verify-subtask.ts';

/**
 * The activity `mergeSubtask`: brings what passed its checks and its judges from the copy into the workspace. Asked again after a crash
 * it gives the same answer.
 */
export function createMergeSubtask(parts: VerifyParts): (input: MergeInput) => Promise<Verdict> {
  return async function mergeSubtask(input) {
    try {
      const { subtask } = await definitionFrom(parts.store, input.plan, input.subtaskId);
      return await conclude(parts, { input, subtask }, input.verdict, { merge: true });
    } catch (error) {
      if (isSystemError(error) || error instanceof SnapshotTrouble)
        throw machineFailure(`The result could not be merged: ${error.message}`);
      if (error instanceof HeddleError && error.code === 'WORKTREE_MISSING') return lostWork(error);
      throw toFailure(error);
    }
  };
}
