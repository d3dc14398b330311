/* News of a task for its worker, on the real server: every event once and in order, few calls, and nothing held back from one that stops. */
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { HeddleClient } from '../../../../client/index.ts';
import { createHeddleActivities, heddleWorkerOptions } from '../../../../workers/worker/create-heddle-activities.ts';
import type { NewsLine, NewsBatch } from '../../../../workflows/shared/worker-news.ts';
import { endOf, shellPlan } from '../../../support/rig.ts';
import { until } from '../../../support/witness.ts';

const taskQueue = `news-${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), 'heddle-news-'));
const calls: NewsBatch[] = [];
const callOf = (event: string): number =>
  calls.findIndex(({ lines }) => lines.some(({ about }) => about.event === event));
const listLines = (): NewsLine[] => calls.flatMap(({ lines }) => lines);
let native: NativeConnection;
let client: HeddleClient;
let worker: Worker;
let running: Promise<void>;

const startWorker = async (): Promise<void> => {
  const isAlone = () => Promise.resolve(true);
  const storeFolder = join(folder, 'store');
  const heddle = createHeddleActivities({ connection: native, taskQueue, host: 'news', storeFolder, isAlone });
  const report = (_: unknown, batch: string): void => void calls.push(JSON.parse(batch) as NewsBatch);
  worker = await Worker.create({
    ...heddleWorkerOptions,
    ...{ connection: native, taskQueue, workflowBundle: { codePath: inject('bundlePath') } },
    activities: { ...heddle.host, ...heddle.shared },
    sinks: { heddle: { report: { fn: report } } },
  });
  running = worker.run();
};
const stopWorker = async (): Promise<void> => {
  worker.shutdown();
  await running;
};

beforeAll(async () => {
  const address = inject('temporalAddress');
  native = await NativeConnection.connect({ address });
  const temporal = new Client({ connection: await Connection.connect({ address }) });
  client = new HeddleClient(temporal, { taskQueue, workflowTaskTimeout: 3_000 });
  await startWorker();
});
beforeEach(() => void calls.splice(0));
afterAll(async () => {
  await stopWorker();
  await client.close();
  await native.close();
  rmSync(folder, { recursive: true, force: true });
});

test('all events of a pass come in one call, each once and in order, and a replay tells none again', async () => {
  const workspace = mkdtempSync(join(folder, 'workspace-'));
  const two = { a: { sh: 'echo a' }, b: { sh: 'echo b', dependsOn: ['a'] } };
  const task = await client.start(shellPlan(two, { workspace, project: taskQueue }), { id: `${taskQueue}-order` });
  expect(await endOf(task)).toBe('completed');
  const events = await task.events();
  await until(() => listLines().some(({ about }) => about.event === 'task.ended'));
  const lines = events.map(({ id, type, text }) => [id, type, text]);
  expect(listLines().map(({ text, about }) => [about.eventId, about.event, text])).toEqual(lines);
  expect(listLines().every(({ about }) => about.task === task.id)).toBe(true);
  // Two for the start, one for each subtask that ends, and one for the end: two subtasks have ten events.
  expect(calls.length).toBeLessThanOrEqual(5);
  const attempts = calls.flatMap(({ counts }) => counts).filter(({ name }) => name === 'heddle_attempts');
  expect(attempts).toHaveLength(2);
  calls.splice(0);
  await stopWorker();
  await startWorker();
  expect((await task.status()).state).toBe('completed');
  expect(calls).toEqual([]);
});

test('a line names the update that caused it; a task that stops tells at once what happens meanwhile', async () => {
  const workspace = mkdtempSync(join(folder, 'workspace-'));
  const stubborn = { long: { sh: "trap '' TERM; touch started; sleep 600" } };
  const task = await client.start(shellPlan(stubborn, { workspace, project: taskQueue }), { id: `${taskQueue}-stop` });
  await until(() => existsSync(join(workspace, 'started')));
  await task.steer({ text: 'be brief' }, { updateId: 'steering-1' });
  await until(() => callOf('task.steered') !== -1);
  const update = { updateId: 'steering-1', updateName: 'steer' };
  expect(listLines().find(({ about }) => about.event === 'task.steered')?.about).toMatchObject(update);
  await task.cancel();
  await until(() => callOf('task.cancelling') !== -1);
  await client.temporal.workflow.getHandle(task.workflowId).signal('decide', { decisionId: 'nobody', option: 'x' });
  expect(await endOf(task)).toBe('cancelled');
  await until(() => callOf('task.ended') !== -1);
  expect(callOf('message.refused')).toBeGreaterThan(callOf('task.cancelling'));
  expect(callOf('message.refused')).toBeLessThan(callOf('task.ended'));
});
