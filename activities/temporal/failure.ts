import { ApplicationFailure } from '@temporalio/activity';

import { HeddleError } from '../../domain/errors/heddle-error.ts';

/* The two families of failures that our activities throw, and the one way from our own errors to them. */

/** A failure that no retry mends: a person must change something. Its type is the code of the error, so that a task that ends by it says why. */
export function terminal(error: HeddleError): ApplicationFailure {
  const failure = ApplicationFailure.nonRetryable(error.message, error.code, error.toJSON());
  // People read the message; a stack of ours would only fill the history.
  failure.stack = '';
  return failure;
}

interface TransientParts {
  type: string;
  message: string;
  details?: unknown[];
  /** Milliseconds until the next try; the retry policy of the activity decides when it is absent. */
  retryAfter?: number | undefined;
  cause?: Error | undefined;
}

/** A failure that may pass by itself: Temporal makes another try. */
export function transient({ type, message, details = [], retryAfter, cause }: TransientParts): ApplicationFailure {
  return ApplicationFailure.create({
    ...{ type, message, details, nonRetryable: false },
    ...(retryAfter === undefined ? {} : { nextRetryDelay: retryAfter }),
    ...(cause === undefined ? {} : { cause }),
  });
}

const takenOverType = 'taken-over';

/** Another execution owns the work by now: this one ends, and leaves everything to it. */
export const takenOver = (message: string): ApplicationFailure => transient({ type: takenOverType, message });

export const isTakenOver = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.type === takenOverType;

/** Turns an error into the failure that the workflow gets. `convert` decides about errors that are neither ours nor failures already. */
export function toFailure(error: unknown, convert: (error: unknown) => unknown = (other) => other): unknown {
  if (error instanceof ApplicationFailure) return error;
  return error instanceof HeddleError ? terminal(error) : convert(error);
}
