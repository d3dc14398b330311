// The budget is spent before there is a plan: a person is asked, and the same conversation goes on, or the task ends.
import { expect, test } from 'vitest';
import type { PlanInput, TaskHandle } from '../../../client/index.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { finishes, goodPlan, plans, startGoal, writes } from './support.ts';

const rig = useRig();

const start = async (budget: PlanInput['budget']): Promise<TaskHandle> => {
  const script = [...plans('hm', goodPlan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')];
  const { task } = await startGoal(rig, script, {
    planning: { degraded: 'deny' },
    budget: { modelCalls: 1, ...budget },
  });
  return task;
};

test('with more of it the conversation goes on', async () => {
  const task = await start({});
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ id: 'budget-modelCalls-1', kind: 'budget', subtask: null });
  expect(decision.options.map(({ id }) => id)).toEqual(['raise', 'stop']);
  expect(await task.status()).toMatchObject({
    state: 'waiting',
    subtasks: [],
    budget: { modelCalls: { used: 1, limit: 1 } },
  });
  await task.decide({ decisionId: decision.id, option: 'raise', value: 20 });
  expect(await endOf(task)).toBe('completed');
  expect((await task.status()).planner).toMatchObject([{ role: 'planner', calls: 2 }]);
  expect((await task.status()).budget).toMatchObject({ modelCalls: { used: 5, limit: 20 } });
});

test('a person stops it', async () => {
  const task = await start({});
  const { decision } = await eventOf(task, decisionOpened());
  await task.decide({ decisionId: decision.id, option: 'stop' });
  expect(await endOf(task)).toBe('cancelled');
});

test('where the plan says so, it ends with its code', async () => {
  const task = await start({ onExhausted: 'stop' });
  expect(await endOf(task)).toBe('failed');
  expect(await task.status()).toMatchObject({ state: 'failed', code: 'BUDGET_EXHAUSTED', decisions: [] });
});
