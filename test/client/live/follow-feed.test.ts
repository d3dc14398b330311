// Following a task on the real server: page by page, through the store, and past a page of history that is above gRPC's own limit.
import { Client, Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { HeddleClient, type Gap } from '../../../client/index.ts';
import type { ReadStored } from '../../../client/follow/read-pages.ts';
import { noise } from '../../support/scripted-task.ts';
import { end, useScriptedRig } from '../../support/scripted-rig.ts';
import { status } from '../cli/shared/support.ts';

const rig = useScriptedRig();

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

async function connected(readStored: ReadStored): Promise<HeddleClient> {
  const client = await HeddleClient.connect({ address: rig.address }, { taskQueue: rig.client.taskQueue, readStored });
  onTestFinished(() => client.close());
  return client;
}

test('all pages of what a task holds are read: events, attempts, and by followers', async () => {
  const task = await rig.start({ status: status(), events: 25, attempts: 25, page: 4 });
  expect((await task.events()).map(({ id }) => id)).toEqual(upTo(1, 25));
  expect((await task.events(23)).map(({ id }) => id)).toEqual([24, 25]);
  expect((await task.attempts()).map(({ attempt }) => attempt)).toEqual(upTo(1, 25));
  await end(rig, task);
  const followed: number[] = [];
  for await (const { id } of task.follow({ since: 2 })) followed.push(id);
  expect(followed).toEqual(upTo(3, 25));
});

test('what older runs moved to the store comes from there, and is named where it is not here', async () => {
  const archive = {
    events: [{ from: 1, to: 5, sha256: 'e', bytes: 1 }],
    attempts: [{ from: 1, to: 3, sha256: 'a', bytes: 1 }],
  };
  const task = await rig.start({ status: status(), events: 9, attempts: 5, archive });
  const event = (id: number) => ({ id, time: 'then', taskId: task.id, type: 'subtask.started', text: 'older' });
  const attempt = (n: number) => ({ subtask: 'a', attempt: n, outcome: 'passed', startedAt: 'then' });
  const pages: Record<string, unknown> = { e: upTo(1, 5).map(event), a: upTo(1, 3).map(attempt) };
  const host = (await connected(({ sha256 }) => Promise.resolve(pages[sha256]))).task(task.id);
  expect((await host.allEvents()).items.map(({ id }) => id)).toEqual(upTo(1, 9));
  expect((await host.attempts()).map((each) => each.attempt)).toEqual(upTo(1, 5));
  expect(await task.allAttempts()).toMatchObject({
    items: [{ attempt: 4 }, { attempt: 5 }],
    missing: [{ from: 1, to: 3 }],
  });
  expect((await task.allEvents(3)).missing).toEqual([{ from: 4, to: 5 }]);
  await end(rig, task);
  const here: number[] = [];
  for await (const { id } of host.follow()) here.push(id);
  expect(here).toEqual(upTo(1, 9));
  const elsewhere: (number | Gap)[] = [];
  for await (const { id } of task.follow({ onMissing: (gap) => void elsewhere.push(gap) })) elsewhere.push(id);
  expect(elsewhere).toEqual([{ from: 1, to: 5 }, ...upTo(6, 9)]);
});

test('a page of history above 4 MB stops no follower', async () => {
  const task = await rig.start({ status: status(), events: 2 });
  const handle = rig.client.temporal.workflow.getHandle(task.workflowId);
  await task.status();
  for (let n = 0; n < 30; n += 1) await handle.signal(noise, 'x'.repeat(200_000));
  await end(rig, task);
  await expect.poll(() => task.end()).toBeDefined();
  // The SDK's own connection cannot read it: the history is what this test says it is.
  const connection = await Connection.connect({ address: rig.address, interceptors: [] });
  onTestFinished(() => connection.close());
  const bare = new Client({ connection }).workflow.getHandle(task.workflowId).fetchHistory();
  await expect(bare).rejects.toThrow('larger than max');
  const trouble: unknown[] = [];
  const followed: number[] = [];
  const onTrouble = (what: string | undefined): void => {
    if (what !== undefined) trouble.push(what);
  };
  for await (const { id } of task.follow({ onTrouble })) followed.push(id);
  expect([followed, trouble]).toEqual([[1, 2], []]);
});
