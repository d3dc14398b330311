// The status of a task while somebody watches it: it waits for its next look also when that is overdue.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { StatusPoller } from '../../../client/live/status-poller.ts';
import { clientLimits } from '../../../client/limits/client-limits.ts';
import { status, subtask } from '../cli/shared/support.ts';

test('a look at what is printed that is overdue warns of no negative timer', async () => {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  let listened = 0;
  const slow = clientLimits.cli.activityPoll + 100;
  const task = {
    status: () => Promise.resolve(status({ subtasks: [subtask('a', { state: 'running' })] })),
    activity: async () => {
      listened += 1;
      // A server that takes longer than the time between two looks.
      await sleep(slow);
      return [];
    },
  };
  const poller = new StatusPoller({
    task,
    onStatus: () => undefined,
    onActivity: () => undefined,
    wantsActivity: () => true,
  });
  poller.changed();
  await expect.poll(() => listened, { timeout: 10_000 }).toBeGreaterThan(2);
  await poller.stop();
  expect(warnings).toEqual([]);
});
