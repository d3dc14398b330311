// A task that came as a goal is retried with the plan that was made of it; where none was made, it is planned again.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TaskHandle } from '../../../client/index.ts';
import type { RetryPlan } from '../../../client/start/plan-retry.ts';
import { endOf, eventOf, useRig } from '../../support/rig.ts';
import { retryPlanOf, startRetryOf } from './retry-support.ts';
import { finishes, goodPlan, playModels, plans, startGoal, writes } from './support.ts';

const rig = useRig();

const retryOf = (task: TaskHandle): Promise<RetryPlan> => retryPlanOf(rig, task);

const start = (retry: RetryPlan): Promise<TaskHandle> => startRetryOf(rig, retry);

const [inspect, notes] = goodPlan.subtasks;
const failing = { ladder: [{ tier: 'assigned' as const }], planning: { degraded: 'deny' as const } };

test('the plan that was made runs again from what failed, and no model is asked to plan', async () => {
  const last = {
    id: 'last',
    description: 'Write last.md',
    dependsOn: ['notes'],
    verify: ['test -e last.md', 'touch ran'],
  };
  const plan = { subtasks: [inspect, notes, last] };
  const { task, workspace } = await startGoal(
    rig,
    [...plans(plan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n'), finishes('last')],
    failing,
  );
  expect(await endOf(task)).toBe('failed');
  const retry = await retryOf(task);
  expect(retry.reused.map(({ id }) => id)).toEqual(['inspect', 'notes']);
  expect(retry.runs.map(({ id }) => id)).toEqual(['last']);
  // No entry for a model that plans.
  playModels(workspace, writes('last', 'last.md', 'y\n'));
  const again = await start(retry);
  expect(await endOf(again)).toBe('completed');
  expect(existsSync(join(workspace, 'last.md'))).toBe(true);
  const view = await again.plan();
  expect(view?.subtasks).toMatchObject([{ id: 'inspect' }, { id: 'notes' }, { id: 'last', verifyInSandbox: true }]);
  expect(view).toMatchObject({ planning: { degraded: 'deny' }, written: { sha256: expect.any(String) as string } });
});

test('of a plan that was changed the last version runs again', async () => {
  const changed = {
    reason: 'It is shorter.',
    subtasks: [
      { id: 'inspect' },
      { id: 'short', description: 'Write short.md', dependsOn: ['inspect'], deliverables: ['short.md'] },
    ],
    superseded: [{ id: 'notes', reason: 'short does it' }],
  };
  const { task, workspace } = await startGoal(
    rig,
    [
      ...plans(goodPlan),
      finishes('inspect'),
      { when: { role: 'executor', subtask: 'notes' }, reply: { text: 'hm', delay: '60s' } },
      { when: { role: 'planner', turn: 2 }, reply: { text: JSON.stringify(changed) } },
      { when: { role: 'executor', subtask: 'short' }, times: 9, reply: { status: 400 } },
    ],
    failing,
  );
  await eventOf(task, (event) => event.type === 'attempt.started' && event.subtask === 'notes');
  await task.steer({ text: 'make it short', replan: true });
  expect(await endOf(task)).toBe('failed');
  expect(await task.status()).toMatchObject({ planVersion: 2 });
  const retry = await retryOf(task);
  expect([retry.reused, retry.runs].map((part) => part.map(({ id }) => id))).toEqual([['inspect'], ['short']]);
  playModels(workspace, writes('short', 'short.md', 'y\n'));
  const again = await start(retry);
  expect(await endOf(again)).toBe('completed');
  expect((await again.status()).subtasks.map(({ id, state }) => [id, state])).toEqual([
    ['inspect', 'completed'],
    ['short', 'completed'],
  ]);
});

test('a goal that nobody could plan is planned again', async () => {
  const { task, workspace } = await startGoal(rig, plans('no', 'no', 'no'), failing);
  expect(await endOf(task)).toBe('failed');
  expect((await task.status()).budget).toMatchObject({ modelCalls: { used: 3 } });
  const retry = await retryOf(task);
  expect([retry.reused, retry.runs]).toEqual([[], []]);
  playModels(workspace, [...plans(goodPlan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')]);
  const again = await start(retry);
  expect(await endOf(again)).toBe('completed');
});
