import { Context } from '@temporalio/activity';
import { resolve } from 'node:path';
import type { RevertInput } from '../../domain/types/attempt.ts';
import type { Restored } from '../../domain/types/outcome.ts';
import type { Secrets } from '../redact/secrets.ts';
import { toFailure } from '../temporal/failure.ts';
import { machineFailure } from '../temporal/transient-failure.ts';
import { isSystemError } from '../system/system-error.ts';
import { revertAttempt } from '../workspace/undo/revert-attempt.ts';

interface RevertParts {
  /** Heddle's home. */
  root: string;
  secrets: Secrets;
}

/** The activity `revertAttempt`: a try to find owed evidence that made nothing better leaves no changes. */
export function createRevertAttempt({ root, secrets }: RevertParts): (input: RevertInput) => Promise<Restored> {
  return async (input) => {
    const snapshots = { root: resolve(root), environment: secrets.environment };
    try {
      const reverted = await revertAttempt(snapshots, { ...input, isolated: input.isolated === true });
      const { taskId: task, subtaskId: subtask, attempt } = input;
      if ('refused' in reverted || reverted.left !== undefined)
        Context.current().log.warn('changes of a try stay', { task, subtask, attempt, ...reverted });
      return reverted;
    } catch (error) {
      if (isSystemError(error)) throw machineFailure(`The changes of a try could not be undone: ${error.message}`);
      throw toFailure(error);
    }
  };
}
