// What comes while a task is between two runs: pages on their way to the store, or a state that is still read from it.
import { NativeConnection, Worker } from '@temporalio/worker';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import type { TaskHandle } from '../../../client/index.ts';
import type { HostActivities } from '../../../domain/model/activities.ts';
import { createHeddleActivities, heddleWorkerOptions } from '../../../workers/worker/create-heddle-activities.ts';
import { eventsOf } from '../../support/events.ts';
import { Held } from '../../support/held-activity.ts';
import { codeOf, endOf, shellPlan, useRig } from '../../support/rig.ts';
import { namesOf, promptIn, until, witness } from '../../support/witness.ts';

const rig = useRig({ server: { dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '30' } } });
const ok = `${witness}; echo done`;
const asks = `${witness}; [ $HEDDLE_ATTEMPT = 1 ] && { echo "not allowed" >&2; exit 77; }; echo done`;
const wide = ['a', 'b', 'c', 'd'];

/** Enough to fill a run, then a question: a quiet point. */
const filling = (sh = ok) => ({
  ...Object.fromEntries(wide.map((id) => [id, { sh }])),
  gate: { sh: asks, dependsOn: wide },
});

let queues = 0;

/** A task on workers of its own, some of whose activities are not the usual ones. */
async function onWorkers(
  change: (host: HostActivities) => Partial<HostActivities>,
  { workspace, sh }: { workspace: string; sh?: string },
  body: (task: TaskHandle) => Promise<void>,
): Promise<void> {
  const taskQueue = `${rig.taskQueue}-held-${(queues += 1)}`;
  const connection = await NativeConnection.connect({ address: rig.address });
  const { host, storeFolder } = rig;
  const activities = createHeddleActivities({ connection, taskQueue, host, storeFolder, env: process.env });
  const common = { connection, ...heddleWorkerOptions };
  const workflowBundle = { codePath: inject('bundlePath') };
  const main = await Worker.create({ ...common, taskQueue, workflowBundle, activities: activities.shared });
  const onHost = await Worker.create({
    ...common,
    taskQueue: activities.hostQueue,
    activities: { ...activities.host, ...change(activities.host) },
  });
  try {
    const workflowId = `task-${taskQueue}`;
    const plan = shellPlan(filling(sh), { workspace });
    await main.runUntil(() =>
      onHost.runUntil(async () => {
        await rig.temporal.workflow.start('task', { workflowId, taskQueue, args: [plan] });
        await body(rig.adopt(workflowId));
      }),
    );
  } finally {
    await connection.close();
  }
}

const statesOf = async (task: TaskHandle): Promise<Record<string, string>> =>
  Object.fromEntries((await task.status()).subtasks.map(({ id, state }) => [id, state]));
const allDone = Object.fromEntries(wide.map((id) => [id, 'completed']));

async function expectCancelled(task: TaskHandle): Promise<void> {
  expect(await endOf(task)).toBe('cancelled');
  await task.result().catch(() => undefined);
  expect((await rig.temporal.workflow.getHandle(task.workflowId).describe()).status.name).toBe('CANCELLED');
  expect(await statesOf(task)).toEqual({ ...allDone, gate: 'skipped' });
  expect(eventsOf(await task.events(), 'task.ended')).toHaveLength(1);
}

describe('while pages are stored', () => {
  test('a cancellation is not hidden by the activity that ends well: the task ends as cancelled', async () => {
    const held = new Held();
    const workspace = rig.workspace();
    await onWorkers(
      (host) => ({ storePage: held.around((page) => host.storePage(page)) }),
      { workspace },
      async (task) => {
        await held.entered;
        await task.cancel();
        held.release();
        await expectCancelled(task);
        expect(namesOf(workspace).sort()).toEqual([...wide, 'gate']);
      },
    );
  });

  test('an answer is taken, and nothing of it is lost', async () => {
    const held = new Held();
    const workspace = rig.workspace();
    await onWorkers(
      (host) => ({ storePage: held.around((page) => host.storePage(page)) }),
      { workspace },
      async (task) => {
        await held.entered;
        await task.steer({ text: 'be brief' });
        await task.decide({ decisionId: 'gate-1', option: 'retry', by: 'ana' });
        held.release();
        expect(await endOf(task)).toBe('completed');
        expect(promptIn(workspace, 'gate', 2)).toContain('<steering>\nbe brief\n</steering>');
        expect(eventsOf(await task.events(), 'decision.answered')).toMatchObject([{ by: 'ana', option: 'retry' }]);
      },
    );
  });
});

describe('while a state that is too large for one value is read from the store', () => {
  /** Makes the state large before the run is full. */
  async function grow(task: TaskHandle, workspace: string): Promise<void> {
    await until(() => namesOf(workspace).length === wide.length);
    for (const subtask of [...wide, 'gate'])
      await Promise.all(
        Array.from({ length: 10 }, (_, n) => task.steer({ text: `${n}${'語'.repeat(3_990)}`, subtask })),
      );
    writeFileSync(join(workspace, 'go'), '');
  }
  const sh = `${witness}; until [ -e go ]; do sleep 0.1; done; echo done`;

  test('messages wait for it: the good ones are taken, the others refused', async () => {
    const held = new Held();
    const workspace = rig.workspace();
    await onWorkers(
      (host) => ({ readPage: held.around((page) => host.readPage(page)) }),
      { workspace, sh },
      async (task) => {
        await grow(task, workspace);
        await held.entered;
        const steered = codeOf(task.steer({ text: 'be brief' }));
        const tooMuch = codeOf(task.steer({ text: 'one more', subtask: 'gate' }));
        const unknown = codeOf(task.decide({ decisionId: 'nothing-1', option: 'retry' }));
        await rig.temporal.workflow.getHandle(task.workflowId).signal('pause', { reason: 'lunch' });
        held.release();
        expect(await Promise.all([steered, tooMuch, unknown])).toEqual([
          undefined,
          'STEERING_FULL',
          'DECISION_NOT_FOUND',
        ]);
        await until(async () => (await task.status()).state === 'paused');
        await task.resume();
        await task.decide({ decisionId: 'gate-1', option: 'retry' });
        expect(await endOf(task)).toBe('completed');
        expect(eventsOf(await task.events(), 'task.steered')).toHaveLength(51);
        expect(promptIn(workspace, 'gate', 2)).toContain('be brief');
      },
    );
  });

  test('a cancellation ends the task with all that it knows', async () => {
    const held = new Held();
    const workspace = rig.workspace();
    await onWorkers(
      (host) => ({ readPage: held.around((page) => host.readPage(page)) }),
      { workspace, sh },
      async (task) => {
        await grow(task, workspace);
        await held.entered;
        await task.cancel();
        held.release();
        await expectCancelled(task);
        expect(eventsOf(await task.events(), 'decision.opened')).toHaveLength(1);
      },
    );
  });
});
