// How long a question to a worker may take: a long history that is replayed first is no worker that is away.
import type { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { askWorker } from '../../../client/temporal/ask-worker.ts';
import { clientLimits } from '../../../client/limits/client-limits.ts';

/** The error that the SDK throws at a deadline. */
const late = (): Error => Object.assign(new Error('late'), { code: 4, details: 'late', metadata: {} });

/** A client that notes how much time each call is given. */
function clock() {
  const given: number[] = [];
  const withDeadline = <T>(deadline: number | Date, action: () => Promise<T>): Promise<T> => {
    given.push(Math.round((Number(deadline) - Date.now()) / 1_000));
    return action();
  };
  return { client: { withDeadline } as unknown as Client, given };
}

test('a question that is lost is asked once more, with the time that a replay of its history takes', async () => {
  const { client, given } = clock();
  const answers = [() => Promise.reject(late()), () => Promise.resolve('answered')];
  const ask = (): Promise<string> => (answers.shift() ?? (() => Promise.reject(late())))();
  expect(await askWorker(client, ask, () => Promise.resolve(10_000))).toBe('answered');
  const { firstTry, deadline, replayEvent } = clientLimits.query;
  const seconds = [firstTry, deadline, deadline + 10_000 * replayEvent].map((ms) => ms / 1_000);
  expect(given).toEqual(seconds);
});

test('a history whose length is not to be had adds nothing, and the second silence is told', async () => {
  const { client, given } = clock();
  const ask = askWorker(
    client,
    () => Promise.reject(late()),
    () => Promise.reject(new Error('away')),
  );
  await expect(ask).rejects.toThrow('late');
  expect(given.at(-1)).toBe(clientLimits.query.deadline / 1_000);
});

test('what is wrong with the question is told at once', async () => {
  const { client, given } = clock();
  await expect(askWorker(client, () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  expect(given).toHaveLength(1);
});
