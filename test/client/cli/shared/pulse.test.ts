// The pulse of whoever watches: when it looks first, and that it waits for its next look also when that is overdue.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { followToEnd } from '../../../../client/terminal/follow/follow-to-end.ts';
import { Output } from '../../../../client/cli/shared/output.ts';
import { StatusPoller } from '../../../../client/terminal/follow/status-poller.ts';
import { clientLimits } from '../../../../client/limits/client-limits.ts';
import type { Endpoint } from '../../../../client/ports/service.ts';
import type { TaskHandle } from '../../../../client/sdk/task-handle.ts';
import { status, subtask, testPorts } from './support.ts';

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
  const pulse = new StatusPoller({ handle, onStatus: () => undefined, onActivity: () => undefined });
  pulse.changed();
  await expect.poll(() => listened, { timeout: 10_000 }).toBeGreaterThan(2);
  await pulse.stop();
  expect(warnings).toEqual([]);
});

test.for([
  {
    since: 0,
    asked: 0,
    when: 'a task is followed from its start: its first event comes first, as two queries at once delay each other there',
  },
  {
    since: 7,
    asked: 1,
    when: 'a task is followed from the middle, where it may stand at a question with no event to come',
  },
])('the status is asked for $asked times before any event, when $when', async ({ since, asked }) => {
  const { ports } = testPorts({}, { isTTY: true, columns: 80 });
  const [task, stop] = [{ asked: 0 }, Promise.withResolvers<undefined>()];
  const handle = {
    id: 't1',
    follow: async function* () {
      await stop.promise;
    },
    status: () => {
      task.asked += 1;
      return Promise.resolve(status());
    },
    plan: () => Promise.resolve(null),
    end: () => Promise.resolve({ state: 'completed', reason: '', own: true }),
    report: () => Promise.reject(new Error('not here')),
  } as unknown as TaskHandle;
  const context = { ports, output: new Output(ports, { json: false }) };
  const endpoint = { webUi: null } as Endpoint;
  const following = followToEnd(context, { endpoint, handle, since, exitOnDecision: false }).catch(() => undefined);
  await sleep(50);
  const before = task.asked;
  stop.resolve(undefined);
  await following;
  expect(before).toBe(asked);
});
