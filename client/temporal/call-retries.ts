import { type ConnectionOptions, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';

/** A retry that is due now must have begun before the connection may close. */
const slack = 20;

export interface CallRetries {
  interceptors: NonNullable<ConnectionOptions['interceptors']>;
  /** From now on nothing is retried; resolves when what was to be retried has begun. Then the connection may close. */
  settle: () => Promise<void>;
}

/**
 * The Temporal client's own retries of calls, that can be ended: closing a connection makes the calls in flight fail in a way that is
 * retried, and a retry on a closed connection throws where nobody can catch it.
 */
export function createCallRetries(): CallRetries {
  const standard = defaultGrpcRetryOptions();
  let closing = false;
  let nextAt = 0;
  const interceptor = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, status) => !closing && standard.retryableDecider(attempt, status),
    delayFunction(attempt, status) {
      const delay = standard.delayFunction(attempt, status);
      nextAt = Math.max(nextAt, Date.now() + delay);
      return delay;
    },
  });
  return {
    interceptors: [interceptor],
    async settle() {
      closing = true;
      const wait = nextAt - Date.now();
      if (wait > -slack) await sleep(wait + slack);
    },
  };
}
