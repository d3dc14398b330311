// The budget is spent before there is a plan: a person is asked, and the same conversation goes on, or the task ends.
import { expect, test } from 'vitest';
import type { PlanInput, TaskHandle } from '../../../client/index.ts';
import { isEvent } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../../support/rig.ts';
import { finishes, goodPlan, playModels, plans, startGoal, writes } from './support.ts';

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

/** Two agents: an estimate of 0.18 USD at the price of the models. */
async function startLimited(config: string, rest: Partial<PlanInput> = {}): Promise<TaskHandle> {
  const workspace = rig.workspace();
  playModels(workspace, [...plans(goodPlan), finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')], config);
  return rig.start({ goal: 'Write the notes', workspace, ...rest });
}

test('a plan that may cost more than the spending limit for goals asks before anything runs', async () => {
  const task = await startLimited('[limits]\ngoalCostUsd = 0.15\n');
  expect((await eventOf(task, isEvent('plan.ready'))).text).toMatch(/ The spending limit is 0\.15 USD\.$/);
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ id: 'budget-costUsd-1', kind: 'budget', subtask: null, budget: 'costUsd' });
  expect(decision.problem).toMatch(
    /^The plan may cost 0\.18 USD in all, above the spending limit for goals \(0\.15 USD, `goalCostUsd`\)\./,
  );
  expect(decision.options.map(({ id }) => id)).toEqual(['raise', 'stop']);
  expect(await task.status()).toMatchObject({ state: 'waiting', budget: { costUsd: { limit: 0.15 } } });
  expect(await task.attempts()).toEqual([]);
  await task.decide({ decisionId: decision.id, option: 'raise', value: 1 });
  expect(await endOf(task)).toBe('completed');
});

test.each([
  ['the default limit', '', {}, 5],
  ['a budget of its own', '[limits]\ngoalCostUsd = 0.15\n', { budget: { costUsd: 2 } }, 2],
])('a plan below %s runs without a question', async (_, config, rest, limit) => {
  const task = await startLimited(config, rest);
  expect(await endOf(task)).toBe('completed');
  expect((await task.status()).budget).toMatchObject({ costUsd: { limit } });
});

test('a model without a price is named, and is no reason to refuse the goal', async () => {
  const task = await startLimited('[models.free]\nprovider = "script"\nroles = ["extractor"]\n');
  const { text } = await eventOf(task, isEvent('plan.ready'));
  expect(text).toMatch(/ The spending limit is 5\.00 USD; calls of free have no price and are not counted\.$/);
  expect(await endOf(task)).toBe('completed');
});
