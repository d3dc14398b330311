// What the workflow makes of a new plan: running work of the old one is stopped one by one, the rest goes on. The planner is the test's.
import { Context } from '@temporalio/activity';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../domain/types/outcome.ts';
import type { PlanSoFar, Replan } from '../../../domain/types/plan.ts';
import type { PlanTaskOutcome } from '../../../domain/types/planner.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { checkReplan } from '../../../domain/plan/check-replan.ts';
import { packPlan } from '../../../domain/plan/pack-plan.ts';
import { nextPlan } from '../../domain/attempt/support-replan.ts';
import { failureOf, finishedOf, planOf, refOf, subtask } from '../../domain/support-task.ts';
import { useAgentRig } from '../../support/agent-rig.ts';
import { decisionOpened, endOf, eventOf, eventsOf } from '../../support/events.ts';
import { codeOf } from '../../support/rig.ts';
import { until } from '../../support/witness.ts';

const rig = useAgentRig();
const planned = { planner: { tries: 3 }, brief: refOf(3) };
const done: Outcome = finishedOf({ used: { costUsd: 0.25, tokens: 10 } });

/** Until it is told to stop; then it says what it has used. */
async function untilStopped(): Promise<Outcome> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), 50);
  await context.cancelled.catch(() => undefined);
  clearInterval(beat);
  return {
    kind: 'failed',
    failure: failureOf({ type: 'cancelled', category: 'quality' }),
    used: { costUsd: 1, tokens: 100 },
    reruns: 0,
  };
}

const planner =
  (before: Subtask[], replan: Replan) =>
  (have: PlanSoFar): PlanTaskOutcome => {
    const spent = { used: { costUsd: 0.5, tokens: 50, modelCalls: 1 }, models: [] };
    const checked = checkReplan(before, have, replan);
    if ('problems' in checked) return { kind: 'not-made', problems: checked.problems, ...spent };
    const plan = packPlan(nextPlan({ ...planOf(before), version: have.version }, checked.subtasks));
    return { kind: 'replanned', plan, changes: checked.changes, ...spent };
  };

test('`steer` with `replan` stops what is superseded, lets the rest run, and counts what both had used', async () => {
  const before = [subtask('long'), subtask('other'), subtask('done')];
  const replan: Replan = {
    reason: 'It takes too long.',
    kept: [{ id: 'other' }, { id: 'done' }],
    added: [subtask('short', { dependsOn: ['done'] })],
    superseded: [{ id: 'long', reason: 'short does it' }],
  };
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const task = await rig.start(
    before,
    planned,
    async ({ subtaskId }) => {
      if (subtaskId === 'long') return untilStopped();
      if (subtaskId === 'other') await held;
      return done;
    },
    planner(before, replan),
  );
  await until(async () => (await task.status()).subtasks.some(({ state }) => state === 'completed'));
  await task.steer({ text: 'make it shorter', replan: true });
  await eventOf(task, (event) => event.type === 'subtask.completed' && event.subtask === 'short');
  expect(await task.status()).toMatchObject({
    planVersion: 2,
    subtasks: [{ state: 'skipped', attempts: 1 }, { state: 'running' }, { state: 'completed' }, { state: 'completed' }],
  });
  letGo();
  expect(await endOf(task)).toBe('completed');
  const events = await task.events();
  expect(eventsOf(events, 'plan.replaced')).toMatchObject([
    { planVersion: 2, added: ['short'], retargeted: [], superseded: [{ id: 'long', reason: 'short does it' }] },
  ]);
  expect(eventsOf(events, 'outcome.stale')).toMatchObject([{ subtask: 'long', attempt: 1, planVersion: 1 }]);
  expect((await task.status()).budget).toMatchObject({
    costUsd: { used: 1 + 0.5 + 3 * 0.25 },
    tokens: { used: 100 + 50 + 30 },
    replans: { used: 1 },
  });
});

test('the answer `replan` retargets the subtask, which goes on counting', async () => {
  const before = [subtask('a')];
  const task = await rig.start(
    before,
    planned,
    (_, nth) =>
      nth === 1
        ? {
            kind: 'failed',
            failure: failureOf({ type: 'blocked', category: 'blocked' }),
            used: { costUsd: 0, tokens: 0 },
            reruns: 0,
          }
        : done,
    planner(before, { reason: 'Half of it.', kept: [{ id: 'a', description: 'half' }], added: [], superseded: [] }),
  );
  const { decision } = await eventOf(task, decisionOpened());
  await task.decide({ decisionId: decision.id, option: 'replan' });
  expect(await endOf(task)).toBe('completed');
  expect((await task.status()).subtasks).toMatchObject([{ id: 'a', attempts: 2 }]);
});

test('a plan in which nothing can start is a question, and no failure', async () => {
  const circle = [subtask('a', { dependsOn: ['b'] }), subtask('b', { dependsOn: ['a'] }), subtask('c')];
  const task = await rig.start(circle, {}, () => done);
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ id: 'plan-1', kind: 'plan', subtask: null });
  expect((await task.status()).state).toBe('waiting');
  expect(await codeOf(task.steer({ text: 'go on', replan: true }))).toBe('REPLAN_NOT_POSSIBLE');
  await task.decide({ decisionId: 'plan-1', option: 'finish' });
  expect(await endOf(task)).toBe('completed');
});

test('a stall asks for a new plan, then a person, who may ask for another one', async () => {
  const circle = [subtask('a', { dependsOn: ['b'] }), subtask('b', { dependsOn: ['a'] }), subtask('c')];
  const mended: Replan = {
    reason: 'They waited for each other.',
    kept: [{ id: 'a', dependsOn: [] }, { id: 'b' }, { id: 'c' }],
    added: [],
    superseded: [],
  };
  let asked = 0;
  const task = await rig.start(
    circle,
    planned,
    () => done,
    (have) => {
      asked += 1;
      if (asked > 1) return planner(circle, mended)(have);
      expect(have.reason).toContain('a waits for b');
      return { kind: 'not-made', problems: ['It cannot be read.'], used: { costUsd: 0, tokens: 1 }, models: [] };
    },
  );
  const { decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ id: 'plan-1', kind: 'plan', recommendation: 'replan' });
  expect((await task.status()).subtasks.map(({ state }) => state)).toEqual(['pending', 'pending', 'completed']);
  await task.decide({ decisionId: 'plan-1', option: 'replan' });
  expect(await endOf(task)).toBe('completed');
  expect(await task.status()).toMatchObject({ planVersion: 2, budget: { replans: { used: 1 } } });
});
