import type { ApplicationFailure } from '@temporalio/activity';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { oneLine } from '../../domain/text/text.ts';
import { transient } from '../temporal/failure.ts';

/** Trouble such as a full disk, a busy database or a silent server may pass, so `prepareTask` is tried again, as often as the workflow allows. */
export function prepareTrouble(error: unknown): ApplicationFailure {
  const reason = oneLine(error instanceof Error ? error.message : String(error)) || 'no reason was given';
  const problem = new HeddleError({
    code: 'PREPARE_FAILED',
    message: `The task could not be prepared on this host: ${reason}`,
    hint: 'Check the disk and the permissions of HEDDLE_HOME (`heddle doctor`), then run it again.',
  });
  return transient({
    type: problem.code,
    message: problem.message,
    details: [problem.toJSON()],
    cause: error instanceof Error ? error : undefined,
  });
}
