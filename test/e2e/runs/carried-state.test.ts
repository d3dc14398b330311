// What comes while a task is between two runs: pages on their way to the store, or a state that is still read from it.
import { NativeConnection, Worker } from '@temporalio/worker';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { TaskHandle } from '../../../client/index.ts';
import type { HostActivities } from '../../../domain/types/activities.ts';
import { createHeddleActivities, heddleWorkerOptions } from '../../../workers/worker/create-heddle-activities.ts';
import { eventsOf } from '../../support/events.ts';
import { Held } from '../../support/held-activity.ts';
import { codeOf, endOf, shellPlan, useRig } from '../../support/rig.ts';
import { namesOf, promptIn, until, witness } from '../../support/witness.ts';

const rig = useRig({ server: { dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '18' } } });
const ok = `${witness}; echo done`;
const asks = `${witness}; [ $HEDDLE_ATTEMPT = 1 ] && { echo "not allowed" >&2; exit 77; }; echo done`;

/** Enough to fill a run, then a question: a quiet point. */
const filling = (wide: readonly string[], sh = ok) => ({
  ...Object.fromEntries(wide.map((id) => [id, { sh }])),
  gate: { sh: asks, dependsOn: [...wide] },
});

/** By task: where its worker stops before it stores or reads a page. */
const holds = { storePage: new Map<string, Held>(), readPage: new Map<string, Held>() };
const taskQueue = `${rig.taskQueue}-held`;
let connection: NativeConnection;
let workers: Worker[] = [];
let running: Promise<unknown>;

beforeAll(async () => {
  connection = await NativeConnection.connect({ address: rig.address });
  const { host, storeFolder } = rig;
  const activities = createHeddleActivities({ connection, taskQueue, host, storeFolder, env: process.env });
  const { storePage, readPage } = activities.host;
  const held: Pick<HostActivities, 'storePage' | 'readPage'> = {
    storePage: (input) => (holds.storePage.get(input.taskId)?.around(storePage) ?? storePage)(input),
    readPage: (input) => (holds.readPage.get(input.taskId)?.around(readPage) ?? readPage)(input),
  };
  const common = { connection, ...heddleWorkerOptions };
  const workflowBundle = { codePath: inject('bundlePath') };
  workers = [
    await Worker.create({ ...common, taskQueue, workflowBundle, activities: activities.shared }),
    await Worker.create({ ...common, taskQueue: activities.hostQueue, activities: { ...activities.host, ...held } }),
  ];
  running = Promise.all(workers.map((worker) => worker.run()));
});
afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await connection.close();
});

/** A task on those workers, one of whose activities waits. */
async function start(at: keyof typeof holds, subtasks: ReturnType<typeof filling>) {
  const workspace = rig.workspace();
  const id = `${taskQueue}-${holds.storePage.size + holds.readPage.size}`;
  const held = new Held();
  holds[at].set(id, held);
  const args = [shellPlan(subtasks, { workspace })];
  await rig.temporal.workflow.start('task', { workflowId: `task-${id}`, taskQueue, args });
  return { held, workspace, task: rig.adopt(`task-${id}`) };
}

const statesOf = async (task: TaskHandle): Promise<Record<string, string>> =>
  Object.fromEntries((await task.status()).subtasks.map(({ id, state }) => [id, state]));

async function expectCancelled(task: TaskHandle, wide: readonly string[]): Promise<void> {
  expect(await endOf(task)).toBe('cancelled');
  await task.result().catch(() => undefined);
  expect((await rig.temporal.workflow.getHandle(task.workflowId).describe()).status.name).toBe('CANCELLED');
  const done = Object.fromEntries(wide.map((id) => [id, 'completed']));
  expect(await statesOf(task)).toEqual({ ...done, gate: 'skipped' });
  expect(eventsOf(await task.events(), 'task.ended')).toHaveLength(1);
}

describe('while pages are stored', () => {
  const wide = ['a', 'b'];

  test('a cancellation is not hidden by the activity that ends well: the task ends as cancelled', async () => {
    const { held, task, workspace } = await start('storePage', filling(wide));
    await held.entered;
    await task.cancel();
    held.release();
    await expectCancelled(task, wide);
    expect(namesOf(workspace).sort()).toEqual([...wide, 'gate']);
  });

  test('an answer is taken, and nothing of it is lost', async () => {
    const { held, task, workspace } = await start('storePage', filling(wide));
    await held.entered;
    await task.steer({ text: 'be brief' });
    await task.decide({ decisionId: 'gate-1', option: 'retry', by: 'ana' });
    held.release();
    expect(await endOf(task)).toBe('completed');
    expect(promptIn(workspace, 'gate', 2)).toContain('<steering>\nbe brief\n</steering>');
    expect(eventsOf(await task.events(), 'decision.answered')).toMatchObject([{ by: 'ana', option: 'retry' }]);
  });
});

describe('while a state that is too large for one value is read from the store', () => {
  const wide = ['a', 'b', 'c', 'd'];

  /** A task whose state is large before the run is full, and that reads it now. */
  async function startLarge() {
    const sh = `${witness}; until [ -e go ]; do sleep 0.1; done; echo done`;
    const { held, task, workspace } = await start('readPage', filling(wide, sh));
    await until(() => namesOf(workspace).length === wide.length);
    for (const subtask of [...wide, 'gate'])
      await Promise.all(
        Array.from({ length: 10 }, (_, n) => task.steer({ text: `${n}${'語'.repeat(3_990)}`, subtask })),
      );
    writeFileSync(join(workspace, 'go'), '');
    await held.entered;
    return { held, task, workspace };
  }

  test('messages wait for it: the good ones are taken, the others refused', async () => {
    const { held, task, workspace } = await startLarge();
    const steered = codeOf(task.steer({ text: 'be brief' }));
    const tooMuch = codeOf(task.steer({ text: 'one more', subtask: 'gate' }));
    const unknown = codeOf(task.decide({ decisionId: 'nothing-1', option: 'retry' }));
    await rig.temporal.workflow.getHandle(task.workflowId).signal('pause', { reason: 'lunch' });
    held.release();
    expect(await Promise.all([steered, tooMuch, unknown])).toEqual([undefined, 'STEERING_FULL', 'DECISION_NOT_FOUND']);
    await until(async () => (await task.status()).state === 'paused');
    await task.resume();
    await task.decide({ decisionId: 'gate-1', option: 'retry' });
    expect(await endOf(task)).toBe('completed');
    expect(eventsOf(await task.events(), 'task.steered')).toHaveLength(51);
    expect(promptIn(workspace, 'gate', 2)).toContain('be brief');
  });

  test('a cancellation ends the task with all that it knows', async () => {
    const { held, task } = await startLarge();
    await task.cancel();
    held.release();
    await expectCancelled(task, wide);
    expect(eventsOf(await task.events(), 'decision.opened')).toHaveLength(1);
  });
});
