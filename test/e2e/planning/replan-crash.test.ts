// A worker that is killed while a model changes the plan: the next one goes on, nothing of the old plan is lost, and the answer is used.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HeddleClient } from '../../../client/index.ts';
import { until } from '../../support/cli.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';
import { vouched } from '../../support/vouched.ts';
import { startWorkerProcess, testFolder } from '../../support/worker-process.ts';
import { playModels } from './support.ts';

const rig = useRig();

test('a worker that is killed while the plan is changed', async () => {
  const folder = testFolder();
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const reply = {
    reason: 'Half of it.',
    subtasks: [{ id: 'done' }, { id: 'hard', description: 'be short' }],
    superseded: [],
  };
  playModels(workspace, [{ when: { role: 'planner' }, reply: { text: JSON.stringify(reply), delay: '2s' } }]);
  const taskQueue = `replan-killed-${process.pid}`;
  const env = { HEDDLE_HOME: join(folder, 'home'), HEDDLE_TASK_QUEUE: taskQueue, HEDDLE_HOST: 'one' };
  const first = await startWorkerProcess(env);
  const client = new HeddleClient(rig.temporal, { taskQueue });
  const plan = shellPlan(
    { done: { sh: 'echo ok' }, hard: { sh: 'grep "be short"', dependsOn: ['done'] } },
    { workspace, ladder: [{ tier: 'assigned' }, { person: true }] },
  );
  const task = await client.start(vouched(plan));
  rig.adopt(task.workflowId);
  await eventOf(task, decisionOpened('hard-1'));
  await task.decide({ decisionId: 'hard-1', option: 'replan' });
  const pending = async () =>
    (await rig.temporal.workflow.getHandle(task.workflowId).describe()).raw.pendingActivities ?? [];
  await until('the model is asked', async () =>
    (await pending()).some(
      ({ activityType, lastStartedTime }) => activityType?.name === 'planTask' && Boolean(lastStartedTime),
    ),
  );
  await first.end('SIGKILL');
  await startWorkerProcess(env);
  expect(await endOf(task)).toBe('completed');
  expect(await task.status()).toMatchObject({
    planVersion: 2,
    subtasks: [
      { id: 'done', attempts: 1 },
      { id: 'hard', attempts: 2 },
    ],
  });
}, 60_000);
