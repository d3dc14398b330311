// A task that is stopped while a model works on its plan: it ends at once, and what the model was asked counts.
import { expect, test } from 'vitest';
import type { TaskHandle } from '../../../client/index.ts';
import { endOf, shellPlan, useRig } from '../../support/rig.ts';
import { failsWith, until } from '../../support/witness.ts';
import { playModels, startGoal, type Entry } from './support.ts';

const rig = useRig();

const thinks: Entry[] = [{ when: { role: 'planner' }, reply: { text: 'hm', delay: '60s' } }];

async function stopIn(task: TaskHandle, activity: string): Promise<void> {
  const { workflow } = rig.temporal;
  await until(async () => {
    const { pendingActivities } = (await workflow.getHandle(task.workflowId).describe()).raw;
    const pending = pendingActivities?.find(({ activityType }) => activityType?.name === activity);
    return Boolean(pending?.lastHeartbeatTime);
  });
  await task.cancel();
  expect(await endOf(task)).toBe('cancelled');
  expect((await task.status()).budget).toMatchObject({ modelCalls: { used: 1 } });
  expect((await task.status()).planner).toMatchObject([{ model: 'all', role: 'planner', calls: 1 }]);
}

test('while its goal is planned', async () => {
  const { task } = await startGoal(rig, thinks, { planning: { degraded: 'deny' } });
  await stopIn(task, 'planTask');
  expect(await task.status()).toMatchObject({ state: 'cancelled', subtasks: [] });
}, 30_000);

test('while its plan is changed', async () => {
  const workspace = rig.workspace();
  playModels(workspace, thinks);
  const task = await rig.start(shellPlan({ work: { sh: 'sleep 60' } }, { workspace, budget: { modelCalls: 5 } }));
  await until(async () => (await task.status()).subtasks[0]?.state === 'running');
  await task.steer({ text: 'another way', replan: true });
  await stopIn(task, 'planTask');
}, 30_000);

test('while a model looks at its failures', async () => {
  const workspace = rig.workspace();
  playModels(workspace, thinks);
  const ladder = [{ tier: 'assigned' as const }, { tier: 'highest' as const }];
  const task = await rig.start(shellPlan({ work: { sh: failsWith('pump') } }, { workspace, ladder }));
  await stopIn(task, 'diagnoseFailure');
}, 30_000);
