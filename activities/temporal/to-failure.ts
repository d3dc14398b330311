import { ApplicationFailure } from '@temporalio/activity';

import { HeddleError } from '../../domain/errors/heddle-error.ts';

/** What a person must mend is not tried again: it goes to the workflow with its code. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof HeddleError)) return error;
  const failure = ApplicationFailure.nonRetryable(error.message, error.code, error.toJSON());
  failure.stack = '';
  return failure;
}
