import { ApplicationFailure } from '@temporalio/activity';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { oneLine } from '../../domain/text/text.ts';

/** What `prepareTask` throws: the code is the failure's type, so that a task that ends by it says why. */
export function asFailure(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  return error instanceof HeddleError ? refused(error) : trouble(error);
}

/** A plan that does not fit never fits by itself: no retry. */
function refused(error: HeddleError): ApplicationFailure {
  const failure = ApplicationFailure.nonRetryable(error.message, error.code, error.toJSON());
  failure.stack = '';
  return failure;
}

/** A full disk, a busy database, a server that does not answer: it may pass, so it is tried again, as often as the workflow allows. */
function trouble(error: unknown): ApplicationFailure {
  const reason = oneLine(error instanceof Error ? error.message : String(error)) || 'no reason was given';
  const problem = new HeddleError({
    code: 'PREPARE_FAILED',
    message: `The task could not be prepared on this host: ${reason}`,
    hint: 'Check the disk and the permissions of HEDDLE_HOME (`heddle doctor`), then run it again.',
  });
  return ApplicationFailure.create({
    message: problem.message,
    type: problem.code,
    nonRetryable: false,
    details: [problem.toJSON()],
    ...(error instanceof Error ? { cause: error } : {}),
  });
}
