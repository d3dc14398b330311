import { describe, expect, test } from 'vitest';
import { meetStall } from '../../../domain/replan/handle-stall.ts';
import type { PlannerOutcome } from '../../../domain/replan/replan.ts';
import type { Replan } from '../../../domain/types/plan.ts';
import type { TaskSettings } from '../../../domain/types/task-settings.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { checkReplan } from '../../../domain/plan/check-replan.ts';
import { ending } from '../../../domain/schedule/task-ending.ts';
import { taskStatus } from '../../../domain/schedule/schedule.ts';
import { recordOf, rowOf, subtaskOf } from '../../../domain/task/read-state.ts';
import { statusOf } from '../../../domain/task/subtask-phase.ts';
import { Driver } from '../attempt/support-driver.ts';
import { nextPlan } from '../attempt/support-replan.ts';
import { failureOf, rung, stateOf, subtask, t0 } from '../support-task.ts';

/* A new plan: who asks for it, what becomes of the old one, and what if there is none. */

const drive = (subtasks: Subtask[], given: Partial<TaskSettings> = {}): Driver =>
  new Driver(stateOf(subtasks, { planner: { tries: 3 }, ...given }), t0);

const status = (driver: Driver, id: string): string => statusOf(subtaskOf(driver.state, id));
const types = (driver: Driver): string[] => driver.state.log.events.map(({ type }) => type);
const blocked = failureOf({ type: 'blocked', category: 'blocked', signature: 'blocked-x', summary: 'it cannot go on' });

const steer = (driver: Driver, reason = 'another way'): void => {
  driver.record({ type: 'replan.asked', request: { reason, trigger: 'steering', subtasks: [] } });
  driver.beginAll();
};

/** As a planner answers that keeps to the rules. */
function planned(driver: Driver, given: Partial<Replan>): PlannerOutcome {
  const { planning, state } = driver;
  if (planning === null || state.plan.current === null || state.plan.current.definitions === null)
    throw new Error('no planner works');
  const named = new Set((given.superseded ?? []).map(({ id }) => id));
  const changed = new Map((given.kept ?? []).map((entry) => [entry.id, entry]));
  const kept = state.plan.current.definitions
    .filter(({ id }) => !named.has(id))
    .map(({ id }) => changed.get(id) ?? { id });
  const replan = { reason: 'It is better.', added: [], superseded: [], ...given, kept };
  const checked = checkReplan(state.plan.current.definitions, planning.have, replan);
  if ('problems' in checked) throw new Error(checked.problems.join(' '));
  const used = { costUsd: 0.5, tokens: 20, modelCalls: 2 };
  return {
    kind: 'planned',
    plan: nextPlan(state.plan.current, checked.subtasks),
    changes: checked.changes,
    used,
    models: [],
  };
}

describe('a new plan', () => {
  test('adds, retargets and supersedes; what is completed and every count stay', () => {
    const driver = drive([subtask('a'), subtask('b'), subtask('c', { dependsOn: ['b'] }), subtask('d')], {
      maxParallelSubtasks: 2,
    });
    driver.beginAll();
    driver.pass('a', 'pass', 5);
    driver.fail('b', failureOf(), { tokens: 7 });
    const completed = structuredClone(subtaskOf(driver.state, 'a'));
    steer(driver);
    expect(driver.state.queue.running).toEqual([]);
    driver.plan(
      planned(driver, {
        kept: [
          { id: 'b', description: 'something else' },
          { id: 'd', dependsOn: ['b'] },
        ],
        added: [subtask('e', { dependsOn: ['a'] })],
        superseded: [{ id: 'c', reason: 'nobody reads it' }],
      }),
    );
    expect(subtaskOf(driver.state, 'a')).toEqual(completed);
    expect(subtaskOf(driver.state, 'b')).toMatchObject({
      phase: { name: 'ready' },
      planVersion: 2,
      climb: { attempts: 1 },
    });
    expect(subtaskOf(driver.state, 'c')).toMatchObject({
      phase: { name: 'skipped', reason: 'superseded by version 2 of the plan: nobody reads it' },
    });
    expect(driver.state).toMatchObject({
      plan: {
        current: { version: 2 },
        versions: [{ version: 2, added: ['e'], retargeted: ['b', 'd'], superseded: [{ id: 'c' }] }],
      },
      queue: { ready: ['b', 'e'], unfinished: 3 },
      budget: { used: { replans: 1, tokens: 32, modelCalls: 2 } },
    });
    driver.beginAll();
    expect(recordOf(driver.state, 'b')).toMatchObject({ attempt: 2 });
    driver.pass('b');
    driver.pass('e');
    driver.beginAll();
    driver.pass('d');
    expect(ending(driver.state)).toEqual({ state: 'completed', reason: '4 subtasks done, c skipped' });
  });

  test('drops what an attempt of the old plan comes to, and counts what it used', () => {
    const driver = drive([subtask('a', { deliverables: ['x.md'] }), subtask('b'), subtask('c')]);
    driver.beginAll();
    steer(driver);
    driver.plan(
      planned(driver, {
        kept: [{ id: 'a', description: 'another file', deliverables: ['y.md'] }],
        added: [subtask('e', { deliverables: ['x.md'] })],
        superseded: [{ id: 'b', reason: 'not needed' }],
      }),
    );
    driver.beginAll();
    // Until it has stopped it still writes its file, and holds its slot.
    expect(driver.state.queue.running).toEqual(['a', 'b', 'c']);
    driver.pass('a', 'pass', 11);
    driver.fail('b', failureOf(), { tokens: 13 });
    driver.pass('c', 'pass', 3);
    expect(types(driver).filter((type) => type === 'outcome.stale')).toHaveLength(2);
    expect([status(driver, 'a'), status(driver, 'b'), status(driver, 'c')]).toEqual([
      'pending',
      'skipped',
      'completed',
    ]);
    expect(driver.state.log.records.map(({ subtask: id, outcome }) => [id, outcome])).toEqual([
      ['a', 'cancelled'],
      ['b', 'cancelled'],
      ['c', 'passed'],
    ]);
    expect(driver.state.budget.used.tokens).toBe(20 + 11 + 13 + 3);
    expect(subtaskOf(driver.state, 'a').failures).toEqual([]);
    driver.beginAll();
    expect(driver.state.queue.running).toEqual(['e', 'a']);
    expect(recordOf(driver.state, 'a')).toMatchObject({ attempt: 2, outcome: 'running' });
  });

  test('closes the question of what it retargets, and lets it run again with room for attempts', () => {
    const driver = drive([subtask('a', { maxAttempts: 1 })], { ladder: [rung(), rung({ person: true })] });
    driver.beginAll();
    driver.fail('a', failureOf());
    expect(driver.state.decisions.open[0]?.options.map(({ id }) => id)).toEqual([
      'retry',
      'fix',
      'simpler',
      'skip',
      'replan',
      'abort',
    ]);
    driver.answer({ decisionId: 'a-1', option: 'replan', instruction: 'split it' });
    expect(taskStatus(driver.state, driver.now)).toBe('running');
    driver.beginAll();
    expect(driver.planning?.have).toMatchObject({ exhausted: ['a'], left: 3 });
    expect(driver.planning?.have.reason).toContain('split it');
    driver.plan(planned(driver, { kept: [{ id: 'a', description: 'half of it' }] }));
    expect(subtaskOf(driver.state, 'a')).toMatchObject({
      climb: { attempts: 1, maxAttempts: 4 },
      phase: { name: 'ready' },
    });
    driver.beginAll();
    driver.pass('a');
    expect(ending(driver.state)?.state).toBe('completed');
  });

  test('lets a synthesis begin again that others are added to', () => {
    const driver = drive([subtask('a'), subtask('sum', { synthesis: true })]);
    driver.beginAll();
    driver.pass('a');
    driver.beginAll();
    steer(driver);
    driver.plan(planned(driver, { added: [subtask('b')] }));
    driver.pass('sum');
    expect(status(driver, 'sum')).toBe('pending');
    driver.beginAll();
    expect(driver.state.queue.running).toEqual(['b']);
    driver.pass('b');
    driver.beginAll();
    driver.pass('sum');
    expect(ending(driver.state)?.state).toBe('completed');
  });

  test('that changes what has ended meanwhile is made again, at most three times', () => {
    const driver = drive([subtask('a'), subtask('b')]);
    driver.beginAll();
    steer(driver);
    const outdated = planned(driver, { superseded: [{ id: 'a', reason: 'no' }] });
    driver.pass('a');
    driver.plan(outdated);
    expect(driver.state.plan.current?.version).toBe(1);
    for (const run of [2, 3]) {
      driver.beginAll();
      expect(driver.planning).toMatchObject({ run, have: { subtasks: [{ status: 'completed' }, {}] } });
      driver.plan(outdated);
    }
    driver.beginAll();
    expect(driver.planning).toBeNull();
    expect(types(driver).at(-1)).toBe('replan.failed');
    expect(driver.state.budget.used.replans).toBeUndefined();
  });

  test('is not the end of a task that has nothing else to do', () => {
    const driver = drive([subtask('a')]);
    driver.beginAll();
    steer(driver);
    driver.pass('a');
    expect(ending(driver.state)).toBeNull();
    driver.plan(planned(driver, { added: [subtask('b')] }));
    driver.beginAll();
    driver.pass('b');
    expect(ending(driver.state)?.state).toBe('completed');
  });

  test('is made once more for what was said while a planner worked', () => {
    const driver = drive([subtask('a')]);
    steer(driver, 'one');
    steer(driver, 'two');
    driver.plan(planned(driver, { added: [subtask('b')] }));
    driver.beginAll();
    expect(driver.planning?.have).toMatchObject({ version: 2, reason: 'two', left: 2 });
  });

  test('waits for the end of a pause', () => {
    const driver = drive([subtask('a')]);
    driver.record({ type: 'task.paused', reason: 'a break', by: 'person' });
    steer(driver);
    expect(driver.planning).toBeNull();
    driver.record({ type: 'task.resumed' });
    driver.beginAll();
    expect(driver.planning).not.toBeNull();
  });
});

describe('no new plan', () => {
  const used = { costUsd: 0, tokens: 9 };

  test('asks again whoever waited for it, counts what it cost, and lets the old plan go on', () => {
    const driver = drive([subtask('a'), subtask('b')]);
    driver.begin('a');
    driver.fail('a', blocked);
    driver.answer({ decisionId: 'a-1', option: 'replan' });
    driver.beginAll();
    expect(driver.state.queue.running).toEqual([]);
    driver.plan({ kind: 'not-made', problems: ['`b` is missing.'], used, models: [] });
    expect(driver.state.decisions.open.map(({ id }) => id)).toEqual(['a-2']);
    expect(driver.state.budget.used).toEqual({ tokens: 9 });
    driver.beginAll();
    expect(driver.state.queue.running).toEqual(['b']);
  });

  test('is offered above the limit, or without a planner', () => {
    const settings: Partial<TaskSettings>[] = [{ planner: { tries: 3 }, budget: { replans: 0 } }, {}];
    for (const given of settings) {
      const driver = new Driver(stateOf([subtask('a')], given), t0);
      driver.begin('a');
      driver.fail('a', blocked);
      expect(driver.state.decisions.open[0]?.options.map(({ id }) => id)).not.toContain('replan');
      steer(driver);
      expect(driver.planning).toBeNull();
      expect(types(driver).at(-1)).toBe('replan.failed');
    }
  });

  test('comes of a planner without a budget', () => {
    const driver = drive([subtask('a')], { budget: { tokens: 5 } });
    driver.begin('a');
    driver.pass('a', 'pass', 5);
    driver.record({ type: 'replan.asked', request: { reason: 'more', trigger: 'steering', subtasks: [] } });
    driver.beginAll();
    expect(driver.planning).toBeNull();
    expect(ending(driver.state)?.state).toBe('completed');
  });

  test('is taken by a task that finishes or stops meanwhile', () => {
    for (const end of ['finish', 'stop'] as const) {
      const driver = drive([subtask('a')]);
      steer(driver);
      const late = planned(driver, { added: [subtask('b')] });
      if (end === 'finish') driver.record({ type: 'task.finishing' });
      else driver.stop('enough');
      driver.plan(late);
      expect(driver.state).toMatchObject({ plan: { current: { version: 1 } }, budget: { used: { tokens: 20 } } });
    }
  });
});

describe('a stall', () => {
  const circle = (): Subtask[] => [subtask('a', { dependsOn: ['b'] }), subtask('b', { dependsOn: ['a'] })];

  test('is put right where a synthesis has dependents', () => {
    const driver = drive([subtask('sum', { synthesis: true }), subtask('b', { dependsOn: ['sum'] })]);
    meetStall(driver);
    driver.beginAll();
    expect(driver.state.queue.running).toEqual(['sum']);
    expect(rowOf(driver.state, 'sum').synthesis).toBe(false);
  });

  test('asks for a new plan, then a person; nothing fails', () => {
    const driver = drive(circle());
    meetStall(driver);
    driver.beginAll();
    expect(driver.planning?.have.reason).toBe('a waits for b; b waits for a.');
    driver.plan({ kind: 'not-made', problems: ['It cannot be read.'], used: { costUsd: 0, tokens: 0 }, models: [] });
    expect(driver.state.decisions.open).toMatchObject([{ id: 'plan-1', kind: 'plan', subtask: null }]);
    expect(driver.state.decisions.open[0]?.options.map(({ id }) => id)).toEqual(['replan', 'finish', 'abort']);
    expect(taskStatus(driver.state, driver.now)).toBe('waiting');
    driver.answer({ decisionId: 'plan-1', option: 'replan', instruction: 'drop b' });
    driver.beginAll();
    driver.plan(
      planned(driver, { kept: [{ id: 'a', dependsOn: [] }], superseded: [{ id: 'b', reason: 'it is in a' }] }),
    );
    driver.beginAll();
    driver.pass('a');
    expect(ending(driver.state)?.state).toBe('completed');
  });

  test('asks a person at once without a planner, and fails where nobody is to be asked', () => {
    const asked = new Driver(stateOf(circle()), t0);
    meetStall(asked);
    expect(asked.state.decisions.open[0]?.options.map(({ id }) => id)).toEqual(['finish', 'abort']);
    asked.answer({ decisionId: 'plan-1', option: 'finish' });
    expect(ending(asked.state)?.state).toBe('completed');
    const alone = new Driver(stateOf(circle(), { ladder: [rung()] }), t0);
    meetStall(alone);
    expect(ending(alone.state)?.state).toBe('failed');
  });
});
