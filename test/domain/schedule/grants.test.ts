/* Grants of agents: nothing is given twice, and nobody who could go on is left without. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ResourceUsage } from '../../../domain/types/outcome.ts';
import type { Grant } from '../../../domain/types/agent.ts';
import type { BudgetLimits } from '../../../domain/types/basic/budget.ts';
import { ending, stalled } from '../../../domain/schedule/task-ending.ts';
import { grantFor, spends } from '../../../domain/schedule/grants.ts';
import { startable } from '../../../domain/schedule/schedule.ts';
import { recordOf, subtaskOf } from '../../../domain/task/read-state.ts';
import { grantOf } from '../../../domain/task/subtask-phase.ts';
import { Driver } from '../attempt/support-driver.ts';
import { agentExecutor, failureOf, finishedOf, stateOf, subtask, t0 } from '../support-task.ts';
import { takeOutcome } from '../../../domain/attempt/take-outcome.ts';

const agents = (count: number) =>
  Array.from({ length: count }, (_, n) => subtask(`a${n}`, { executor: agentExecutor }));
const drive = (count: number, budget: BudgetLimits, maxParallelSubtasks = 5): Driver =>
  new Driver(stateOf(agents(count), { budget, maxParallelSubtasks }), t0);

describe('a grant', () => {
  test('has the keys that have a limit, and no other', () => {
    expect(grantFor(drive(1, {}).state, 'a0')).toEqual({});
    expect(grantFor(drive(1, { wallClock: 60_000 }).state, 'a0')).toEqual({});
    expect(grantFor(drive(1, { costUsd: 0.5, mutations: 3 }).state, 'a0')).toEqual({ costUsd: 0.5, mutations: 3 });
  });

  test.each<[string, number, number, number, BudgetLimits, Grant[]]>([
    ['one alone has all', 1, 1, 5, { modelCalls: 10 }, [{ modelCalls: 10 }]],
    ['two share', 2, 2, 5, { modelCalls: 11 }, [{ modelCalls: 5 }, { modelCalls: 6 }]],
    ['two with one slot', 2, 1, 1, { modelCalls: 10 }, [{ modelCalls: 10 }]],
    ['dollars are split', 4, 4, 5, { costUsd: 1 }, Array.from({ length: 4 }, () => ({ costUsd: 0.25 }))],
    ['three for one call each', 5, 3, 5, { modelCalls: 3 }, Array.from({ length: 3 }, () => ({ modelCalls: 1 }))],
    ['nothing of one key', 2, 0, 5, { modelCalls: 3, mutations: 0 }, []],
  ])('%s', (_, count, running, slots, budget, grants) => {
    const driver = drive(count, budget, slots);
    for (let ids = startable(driver.state, t0); ids.length > 0; ids = startable(driver.state, t0))
      for (const id of ids) driver.begin(id);
    expect(driver.state.queue.running).toHaveLength(running);
    expect(driver.state.queue.running.map((id) => driver.grantOf(id))).toEqual(grants);
  });

  test('is returned with what the execution tells, before its result is checked', () => {
    const driver = drive(2, { modelCalls: 4 }, 2);
    driver.begin('a0');
    expect(driver.grantOf('a0')).toEqual({ modelCalls: 2 });
    takeOutcome(driver, 'a0', finishedOf({ used: { costUsd: 0, tokens: 0, modelCalls: 1 } }));
    expect(driver.state.queue.running).toEqual(['a0']);
    expect(grantFor(driver.state, 'a1')).toEqual({ modelCalls: 3 });
  });

  test('of an execution that was lost without a word is held until the attempt tells or ends', () => {
    const driver = drive(2, { modelCalls: 4 }, 2);
    driver.begin('a0');
    driver.fail('a0', failureOf({ type: 'environment', category: 'environment' }), { silent: true });
    expect(driver.state.queue.delayed).toEqual(['a0']);
    expect(grantFor(driver.state, 'a1')).toEqual({ modelCalls: 1 });
    driver.begin('a1');
    driver.now += 60_000;
    expect(driver.begin('a0')).toMatchObject({ attempt: 1, grant: { modelCalls: 3 } });
    driver.fail('a0', failureOf());
    expect(grantOf(subtaskOf(driver.state, 'a0'))).toBeUndefined();
  });

  test('is needed by agents alone, and not for another look at a result', () => {
    const driver = new Driver(stateOf([subtask('c'), ...agents(1)], { budget: { modelCalls: 1 } }), t0);
    driver.begin('a0');
    expect(driver.begin('c').grant).toEqual({});
    driver.loseVerification('a0', failureOf({ type: 'environment', category: 'environment' }));
    expect(spends(driver.state, 'a0')).toBe(false);
  });
});

describe('an agent that comes back without having spent anything', () => {
  test('is given all there is once nobody else holds a part of it, then a person is asked', () => {
    const driver = drive(2, { modelCalls: 4 }, 2);
    driver.beginAll();
    driver.runOut('a0', 0);
    expect(startable(driver.state, driver.now)).toEqual([]);
    driver.pass('a1', 'pass', 1);
    driver.beginAll();
    expect(driver.grantOf('a0')).toEqual({ modelCalls: 3 });
    expect(driver.state.decisions.open).toEqual([]);
    driver.runOut('a0', 0);
    expect(driver.state.decisions.open).toMatchObject([{ kind: 'budget', budget: 'modelCalls' }]);
    driver.answer({ decisionId: 'budget-modelCalls-1', option: 'raise' });
    driver.beginAll();
    expect(driver.grantOf('a0')).toEqual({ modelCalls: 7 });
  });
});

/** Agents that each need some calls, of which each costs up to a cent and a tool call or two; they stop at the end of their grants. */
const anyTeam = fc.record({
  needs: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
  slots: fc.integer({ min: 1, max: 5 }),
  modelCalls: fc.option(fc.nat(30), { nil: undefined }),
  toolCalls: fc.option(fc.nat(40), { nil: undefined }),
  cents: fc.option(fc.nat(20), { nil: undefined }),
  chance: fc.array(fc.nat(99), { minLength: 1, maxLength: 60 }),
});

interface Call {
  costUsd: number;
  toolCalls: number;
}

/** Works until it is done or at the end of its grant: it pays for the call that takes it over the end of its money, and no other. */
function work(
  before: ResourceUsage,
  grant: Grant,
  need: number,
  next: () => Call,
): { used: ResourceUsage; done: boolean } {
  const spent: Required<Pick<ResourceUsage, 'modelCalls' | 'toolCalls' | 'costUsd'>> = {
    modelCalls: 0,
    toolCalls: 0,
    costUsd: 0,
  };
  const made = before.modelCalls ?? 0;
  while (made + spent.modelCalls < need) {
    const left = (key: 'modelCalls' | 'toolCalls' | 'costUsd'): number => (grant[key] ?? Infinity) - spent[key];
    if (left('modelCalls') < 1 || left('costUsd') <= 0 || left('toolCalls') < 1) break;
    const call = next();
    spent.modelCalls += 1;
    spent.costUsd += call.costUsd;
    spent.toolCalls += Math.min(call.toolCalls, left('toolCalls'));
  }
  const used = {
    tokens: 0,
    costUsd: before.costUsd + spent.costUsd,
    modelCalls: made + spent.modelCalls,
    toolCalls: (before.toolCalls ?? 0) + spent.toolCalls,
  };
  return { used, done: used.modelCalls >= need };
}

describe('any team of agents under any budget', () => {
  test('never makes more calls than the limit, nor pays for more than the calls in flight beyond it, and is never stuck', () => {
    fc.assert(
      fc.property(anyTeam, ({ needs, slots, modelCalls, toolCalls, cents, chance }) => {
        const budget: BudgetLimits = {
          ...(modelCalls === undefined ? {} : { modelCalls }),
          ...(toolCalls === undefined ? {} : { toolCalls }),
          ...(cents === undefined ? {} : { costUsd: cents / 100 }),
        };
        const driver = drive(needs.length, budget, slots);
        let at = 0;
        const luck = (below: number): number => (chance[(at += 1) % chance.length] ?? 0) % below;
        let rounds = 0;
        for (driver.beginAll(); driver.state.queue.running.length > 0; driver.beginAll()) {
          if ((rounds += 1) > 1_000) throw new Error('it does not end');
          const id = driver.state.queue.running[luck(driver.state.queue.running.length)] ?? '';
          const before = recordOf(driver.state, id)?.used ?? { costUsd: 0, tokens: 0 };
          const need = needs[Number(id.slice(1))] ?? 0;
          const next = (): Call => ({ costUsd: (1 + luck(100)) / 10_000, toolCalls: luck(3) });
          const { used, done } = work(before, driver.grantOf(id), need, next);
          if (done) {
            driver.finishWith(id, used);
          } else {
            driver.suspend(id, { used, why: 'budget', waitMs: null });
          }
          expect(stalled(driver.state, driver.now)).toEqual([]);
        }
        const {
          budget: { used },
        } = driver.state;
        expect(used.modelCalls ?? 0).toBeLessThanOrEqual(modelCalls ?? Infinity);
        expect(used.toolCalls ?? 0).toBeLessThanOrEqual(toolCalls ?? Infinity);
        // One call costs a cent at most.
        expect(used.costUsd ?? 0).toBeLessThanOrEqual(
          cents === undefined ? Infinity : cents / 100 + slots * 0.01 + 1e-9,
        );
        // It is done, or somebody is asked for more.
        expect(ending(driver.state) !== null || driver.state.decisions.open.some(({ kind }) => kind === 'budget')).toBe(
          true,
        );
      }),
      { numRuns: 500 },
    );
  });
});
