import { ApplicationFailure } from '@temporalio/workflow';
import { HeddleError } from '../../domain/errors/heddle-error.ts';

/** The caller reads the code in `type`; the Web UI prints the stack, so there is none. */
function toFailure(error: HeddleError): ApplicationFailure {
  const text = error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
  const failure = ApplicationFailure.nonRetryable(text, error.code, error.toJSON());
  failure.stack = '';
  return failure;
}

/** Turns a problem with a message into a refusal that the caller can read. */
export function refusing<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    return refuse(error);
  }
}

export function refuse(error: unknown): never {
  throw error instanceof HeddleError ? toFailure(error) : error;
}
