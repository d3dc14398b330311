import type { Client } from '@temporalio/client';
import { isOutOfTime } from './explain-error.ts';

/** How long a question to a worker may take in all; a cold one replays the history first. */
const deadline = 10_000;

/** A question that is lost is asked again after this time: most answers take milliseconds. */
const firstTry = 3_000;

/**
 * Asks a query within a bounded time, twice if need be: of several questions that reach a worker at once for a task that has ended,
 * the SDK's core now and then answers all but one.
 */
export async function askWorker<T>(client: Client, question: () => Promise<T>): Promise<T> {
  const last = Date.now() + deadline;
  try {
    return await client.withDeadline(Date.now() + firstTry, question);
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    return client.withDeadline(last, question);
  }
}
