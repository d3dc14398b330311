import type { Client } from '@temporalio/client';
import { isOutOfTime } from './explain-error.ts';
import { clientLimits } from './limits.ts';

/**
 * Asks a query within a bounded time, twice if need be: of several questions that reach a worker at once for a task that has ended,
 * the SDK's core now and then answers all but one. A worker that does not hold the task in its cache, which no ended task is in,
 * replays its history first: a long one gets the time that this takes, and is not taken for a worker that is away.
 */
export async function askWorker<T>(
  client: Client,
  question: () => Promise<T>,
  historyLength: () => Promise<number> = () => Promise.resolve(0),
): Promise<T> {
  const { firstTry, deadline, replayEvent } = clientLimits.query;
  const last = Date.now() + deadline;
  try {
    return await client.withDeadline(Date.now() + firstTry, question);
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    const events = await client.withDeadline(last, historyLength).catch(() => 0);
    return client.withDeadline(last + events * replayEvent, question);
  }
}
