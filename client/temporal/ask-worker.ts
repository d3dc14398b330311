import type { Client } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOutOfTime, isTakingUp, isUnprocessed } from './explain-error.ts';
import { clientLimits } from '../limits/client-limits.ts';

/**
 * Asks a query within a bounded time, twice if need be: of several questions that reach a worker at once for a task that has ended,
 * the SDK's core now and then answers all but one. A worker that does not hold the task in its cache, which no ended task is in,
 * replays its history first: a long one gets the time that this takes, and is not taken for a worker that is away. A task that a new
 * run takes up is asked again until it knows its state.
 */
export async function askWorker<T>(
  client: Client,
  question: () => Promise<T>,
  historyLength: () => Promise<number> = () => Promise.resolve(0),
): Promise<T> {
  const { firstTry, deadline, replayEvent } = clientLimits.query;
  const last = Date.now() + deadline;
  try {
    return await client.withDeadline(Date.now() + firstTry, () => askAgain(question, last));
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    const events = await client.withDeadline(last, historyLength).catch(() => 0);
    const later = last + events * replayEvent;
    return client.withDeadline(later, () => askAgain(question, later));
  }
}

/** Sends an update within a bounded time; again when a worker passed over it, which leaves no trace in the task. */
export function updateWorker<T>(client: Client, deadline: number, update: () => Promise<T>): Promise<T> {
  const last = Date.now() + deadline;
  return client.withDeadline(last, () => again(update, isUnprocessed, last));
}

const askAgain = <T>(question: () => Promise<T>, last: number): Promise<T> => again(question, isTakingUp, last);

async function again<T>(call: () => Promise<T>, isEarly: (error: unknown) => boolean, last: number): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isEarly(error) || Date.now() > last) throw error;
      await sleep(clientLimits.again);
    }
  }
}
