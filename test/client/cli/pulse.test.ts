// The pulse of whoever watches: it waits for its next look also when that is overdue, without a word on stderr.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Pulse } from '../../../client/cli/follow/pulse.ts';
import { clientLimits } from '../../../client/limits.ts';
import type { TaskHandle } from '../../../client/task-handle.ts';
import { status, subtask } from './support.ts';

test('a look at what is printed that is overdue warns of no negative timer', async () => {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  let listened = 0;
  const slow = clientLimits.cli.activityPoll + 100;
  const handle = {
    status: () => Promise.resolve(status({ subtasks: [subtask('a', { state: 'running' })] })),
    activity: async () => {
      listened += 1;
      // A server that takes longer than the time between two looks.
      await sleep(slow);
      return [];
    },
  } as unknown as TaskHandle;
  const pulse = new Pulse({ handle, onStatus: () => undefined, onActivity: () => undefined });
  pulse.changed();
  await expect.poll(() => listened, { timeout: 10_000 }).toBeGreaterThan(2);
  await pulse.stop();
  expect(warnings).toEqual([]);
});
