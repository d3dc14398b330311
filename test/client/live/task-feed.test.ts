// One live feed of a task for all who follow it, on the real server: what readers cost, and what each of them gets.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { TaskFeed, TaskHandle, TaskNews } from '../../../client/index.ts';
import { clientLimits } from '../../../client/limits/client-limits.ts';
import { connectCounted } from '../../support/place/counted-client.ts';
import { noise } from '../../support/scripted-task.ts';
import { end, useScriptedRig } from '../../support/scripted-rig.ts';
import { status, subtask } from '../cli/shared/support.ts';

const rig = useScriptedRig();

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

const connect = () => connectCounted(rig.address, { taskQueue: rig.client.taskQueue });

async function collect(feed: TaskFeed, since = 0): Promise<number[]> {
  const numbers: number[] = [];
  for await (const news of feed.read({ since, status: true, activity: true }))
    if (news.kind === 'event') numbers.push(news.event.id);
  return numbers;
}

/** Wakes every long poll on the history, some times. */
async function disturb({ workflowId }: TaskHandle, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    await rig.client.temporal.workflow.getHandle(workflowId).signal(noise, n);
    await sleep(200);
  }
}

test('40 readers of a task cost as many calls as one', async () => {
  const task = await rig.start({
    status: status({ subtasks: [subtask('a', { state: 'running' })] }),
    events: 25,
    page: 4,
  });
  const [one, many] = [await connect(), await connect()];
  const reading = [
    collect(one.client.feed(task.id)),
    ...upTo(1, 40).map((n) => collect(many.client.feed(task.id), n % 2)),
  ];
  await disturb(task, 10);
  await end(rig, task);
  const [first, ...others] = await Promise.all(reading);
  expect(first).toEqual(upTo(1, 25));
  expect(others).toEqual(upTo(1, 40).map((n) => upTo(1 + (n % 2), 25)));
  for (const method of ['QueryWorkflow', 'GetWorkflowExecutionHistory', 'DescribeWorkflowExecution']) {
    const [alone = 0, shared = 0] = [one.calls.get(method), many.calls.get(method)];
    expect(alone, method).toBeGreaterThan(1);
    expect(shared, method).toBeLessThan(alone * 2 + 4);
  }
});

test('a reader that begins before the others reads the older events by itself', async () => {
  const task = await rig.start({ status: status(), events: 30, page: 7 });
  const feed = rig.client.feed(task.id);
  const late = collect(feed, 20);
  await sleep(500);
  const early = collect(feed, 3);
  await sleep(500);
  await end(rig, task);
  expect([await late, await early]).toEqual([upTo(21, 30), upTo(4, 30)]);
});

test('a reader behind all that is kept misses nothing', async () => {
  const events = clientLimits.feed.events + 500;
  const task = await rig.start({ status: status(), events, page: 300 });
  const feed = rig.client.feed(task.id);
  const slow = feed.read();
  const first = await slow.next();
  const fast = collect(feed);
  // Everything is read by the other one, and the oldest is dropped.
  await sleep(1_000);
  const numbers = first.value?.kind === 'event' ? [first.value.event.id] : [];
  const rest = (async () => {
    for await (const news of slow) if (news.kind === 'event') numbers.push(news.event.id);
  })();
  await end(rig, task);
  await rest;
  expect(await fast).toEqual(upTo(1, events));
  expect(numbers).toEqual(upTo(1, events));
});

test('a reader whose number the task has not reached waits, and one before it is not kept waiting', async () => {
  const task = await rig.start({ status: status(), events: 5 });
  const feed = rig.client.feed(task.id);
  const ahead = collect(feed, 50);
  await sleep(300);
  const early = collect(feed);
  await sleep(300);
  await end(rig, task);
  expect([await ahead, await early]).toEqual([[], upTo(1, 5)]);
});

test('the status is first asked for when the task has answered for its events', async () => {
  const task = await rig.start({ status: status(), events: 2 });
  const kinds: TaskNews['kind'][] = [];
  for await (const { kind } of rig.client.feed(task.id).read({ status: true })) {
    kinds.push(kind);
    if (kind === 'status') break;
  }
  expect(kinds).toEqual(['event', 'event', 'status']);
  await end(rig, task);
});

test('closing the client ends its readers at once', async () => {
  const task = await rig.start({ status: status(), events: 3 });
  const { client } = await connect();
  const reading = collect(client.feed(task.id));
  await sleep(300);
  const before = Date.now();
  await client.close();
  expect(await reading).toEqual([1, 2, 3]);
  expect(Date.now() - before).toBeLessThan(2_000);
  await end(rig, task);
});

test('a feed that nobody reads asks nothing, and continues for the next reader where it was', async () => {
  const task = await rig.start({ status: status(), events: 10 });
  const { client, calls } = await connect();
  for await (const news of client.feed(task.id).read()) if (news.kind === 'event' && news.event.id === 10) break;
  await disturb(task, 3);
  const idle = new Map(calls);
  await sleep(500);
  expect(calls).toEqual(idle);
  const again = collect(client.feed(task.id));
  await sleep(500);
  await end(rig, task);
  expect(await again).toEqual(upTo(1, 10));
});

test('a task that is not there is an error for each reader', async () => {
  const feed = rig.client.feed('never-was');
  const reading = [collect(feed), collect(feed)].map((each) => each.catch((error: unknown) => error));
  expect(await Promise.all(reading)).toMatchObject([{ code: 'TASK_NOT_FOUND' }, { code: 'TASK_NOT_FOUND' }]);
});

test('handles of a client share the feed of a task, and those of two tasks do not', () => {
  expect(rig.client.feed('a')).toBe(rig.client.task('a').feed());
  expect(rig.client.feed('a')).not.toBe(rig.client.feed('b'));
});
