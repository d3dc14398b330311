// The feeds that a client keeps: how long without a reader, how many, and what a reader gets who comes back to one.
import { afterEach, expect, test, vi } from 'vitest';
import type { HeddleClient, TaskFeed } from '../../../client/index.ts';
import { clientLimits } from '../../../client/limits/client-limits.ts';
import { connectCounted } from '../../support/place/counted-client.ts';
import { rewrite } from '../../support/scripted-task.ts';
import { end, useScriptedRig } from '../../support/scripted-rig.ts';
import { status } from '../cli/shared/support.ts';

const rig = useScriptedRig();
const { most, linger } = clientLimits.feed;

const connect = async (): Promise<HeddleClient> =>
  (await connectCounted(rig.address, { taskQueue: rig.client.taskQueue })).client;

const name = (n: number): string => `nobody-started-${n}`;

/** Reads up to an event and stops. */
async function readTo(feed: TaskFeed, number: number, since = 0): Promise<string[]> {
  const texts: string[] = [];
  for await (const news of feed.read({ since })) {
    if (news.kind !== 'event') continue;
    texts.push(news.event.text);
    if (news.event.id >= number) break;
  }
  return texts;
}

afterEach(() => void vi.useRealTimers());

test('a feed is kept for 30 s after its last reader, and no longer', async () => {
  const task = await rig.start({ status: status(), events: 3 });
  const client = await connect();
  const feed = client.feed(task.id);
  const reader = feed.read();
  await reader.next();
  // The clock of the process is ours while the last reader leaves.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await reader.return();
  vi.advanceTimersByTime(linger - 1);
  expect(client.feed(task.id)).toBe(feed);
  vi.advanceTimersByTime(1);
  expect(client.feed(task.id)).not.toBe(feed);
  expect(linger).toBe(30_000);
});

test('a feed that is read is kept, however long that takes', async () => {
  const task = await rig.start({ status: status(), events: 3 });
  const client = await connect();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const feed = client.feed(task.id);
  const reader = feed.read();
  const first = reader.next();
  vi.advanceTimersByTime(10 * linger);
  expect(client.feed(task.id)).toBe(feed);
  vi.useRealTimers();
  await first;
  await reader.return();
});

test('of more than 200 feeds the one that nobody has read for longest is dropped', async () => {
  const client = await connect();
  const feeds = Array.from({ length: most }, (_, n) => client.feed(name(n)));
  expect(feeds.map((_, n) => client.feed(name(n)))).toEqual(feeds);
  client.feed(name(most));
  expect(client.feed(name(most - 1))).toBe(feeds[most - 1]);
  expect(client.feed(name(1))).toBe(feeds[1]);
  expect(client.feed(name(0))).not.toBe(feeds[0]);
  expect(most).toBe(200);
});

test('where 200 feeds are read, one more is a feed of its own and drops none', async () => {
  const client = await connect();
  const feeds = Array.from({ length: most }, (_, n) => client.feed(name(n)));
  // A reader is there from its first step on, before the server has answered.
  const first = feeds.map((feed) => feed.read().next());
  expect(client.feed(name(most))).not.toBe(client.feed(name(most)));
  expect(client.feed(name(0))).toBe(feeds[0]);
  await client.close();
  await Promise.allSettled(first);
});

test('a reader who comes back gets the events of the time when nobody read', async () => {
  const task = await rig.start({ status: status(), events: 10 });
  const feed = rig.client.feed(task.id);
  await readTo(feed, 10);
  await rig.client.temporal.workflow.getHandle(task.workflowId).signal(rewrite, { from: 11, events: 12 });
  expect(await readTo(feed, 12, 10)).toEqual(['another event 11', 'another event 12']);
  await end(rig, task);
});

test('an event that the task has lost since the last reader left is fetched again', async () => {
  const task = await rig.start({ status: status(), events: 10 });
  const feed = rig.client.feed(task.id);
  await readTo(feed, 10);
  await rig.client.temporal.workflow.getHandle(task.workflowId).signal(rewrite, { from: 10, events: 11 });
  expect(await readTo(feed, 11, 8)).toEqual(['event 9', 'another event 10', 'another event 11']);
  await end(rig, task);
});

test('a reader who comes back while the feed is resumed by another one misses nothing', async () => {
  const task = await rig.start({ status: status(), events: 10 });
  const feed = rig.client.feed(task.id);
  await readTo(feed, 10);
  await rig.client.temporal.workflow.getHandle(task.workflowId).signal(rewrite, { from: 10, events: 11 });
  const reading = [readTo(feed, 11, 9), readTo(feed, 11, 9)];
  for (const texts of await Promise.all(reading)) expect(texts).toContain('another event 11');
  await end(rig, task);
});
