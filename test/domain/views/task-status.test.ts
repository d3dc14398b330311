import { describe, expect, test } from 'vitest';
import { apply } from '../../../domain/task/apply.ts';
import { newState } from '../../../domain/task/state.ts';
import { statusView, summarise } from '../../../domain/views/task-status.ts';
import { usedNow } from '../../../domain/schedule/budget-limits.ts';
import { resolveLadder } from '../../../domain/task/read-state.ts';
import { Driver } from '../attempt/support-driver.ts';
import { failureOf, planQuestionOf, rung, stateOf, subtask, t0 } from '../support-task.ts';

/* The output of `heddle status --json`, and the one sentence at the top of every view. */

const blocked = failureOf({ type: 'blocked', category: 'blocked' });

function deployed(): Driver {
  const driver = new Driver(
    stateOf(
      [subtask('draft'), subtask('deploy', { dependsOn: ['draft'] }), subtask('announce', { dependsOn: ['deploy'] })],
      {
        budget: { tokens: 1_000, wallClock: 60_000 },
      },
    ),
    t0,
  );
  driver.begin('draft');
  driver.pass('draft', 'pass-with-warnings', 40);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    driver.begin('deploy');
    driver.fail('deploy', failureOf());
  }
  driver.begin('deploy');
  driver.fail('deploy', blocked);
  return driver;
}

describe('the status', () => {
  test('has the shape of the contract', () => {
    const { state } = deployed();
    const view = statusView(state, t0 + 5_000);
    expect(view).toMatchObject({
      id: 'demo',
      state: 'waiting',
      goal: 'a goal',
      summary: 'Waiting for your answer about deploy',
      planVersion: 1,
      budget: { tokens: { used: 40, limit: 1_000 }, wallClock: { used: 5_000, limit: 60_000 } },
      lastEventId: state.log.events.length,
    });
    expect(view.subtasks).toMatchObject([
      {
        id: 'draft',
        state: 'completed',
        attempts: 1,
        tier: 1,
        rung: 1,
        waitingFor: null,
        verdict: 'pass-with-warnings',
      },
      { id: 'deploy', state: 'waiting', attempts: 3, tier: 2, rung: 3, waitingFor: 'deploy-1', dependsOn: ['draft'] },
      { id: 'announce', state: 'pending', attempts: 0, verdict: null },
    ]);
    expect(view.decisions.map(({ id, kind }) => [id, kind])).toEqual([['deploy-1', 'escalation']]);
    expect(JSON.parse(JSON.stringify(view))).toEqual(view);
  });

  test('has the use of each subtask, and after how many attempts a person is asked', () => {
    const { subtasks } = statusView(deployed().state, t0 + 5_000);
    expect(subtasks.map(({ id, tokens, costUsd, maxAttempts }) => [id, tokens, costUsd, maxAttempts])).toEqual([
      ['draft', 40, undefined, 8],
      ['deploy', undefined, undefined, 8],
      ['announce', undefined, undefined, undefined],
    ]);
  });

  test('leaves out the use of a subtask with attempts that an older run archived', () => {
    const { state } = deployed();
    state.log.records = [];
    expect(statusView(state, t0 + 5_000).subtasks[0]).not.toHaveProperty('tokens');
  });

  test('is there before there is a plan and after the end', () => {
    expect(statusView(newState('x', 'g', t0), t0)).toMatchObject({
      state: 'planning',
      subtasks: [],
      decisions: [],
      code: null,
    });
    const { state } = deployed();
    apply(state, { type: 'task.ended', state: 'failed', reason: 'deploy failed', code: 'X' }, t0 + 9_000);
    const view = statusView(state, t0 + 99_000);
    expect(view).toMatchObject({ state: 'failed', summary: 'deploy failed', code: 'X', decisions: [] });
    expect(view.endedAt).toBe(new Date(t0 + 9_000).toISOString());
    expect(view.budget.wallClock?.used).toBe(9_000);
  });

  test('says when a wait is over', () => {
    const driver = new Driver(stateOf([subtask('a')]), t0);
    driver.begin('a');
    driver.fail('a', failureOf({ type: 'timeout' }));
    expect(statusView(driver.state, t0).subtasks[0]?.notBefore).toBe(new Date(t0 + 1_500).toISOString());
  });

  test('shows use without a limit too', () => {
    const driver = new Driver(stateOf([subtask('a')]), t0);
    driver.begin('a');
    driver.pass('a', 'pass', 7);
    expect(statusView(driver.state, t0).budget).toEqual({ tokens: { used: 7, limit: null } });
    expect(usedNow(driver.state, t0 + 3)).toEqual({ tokens: 7, wallClock: 3 });
  });
});

describe('the summary', () => {
  test('says what runs, what is tried again and what is asked', () => {
    const driver = new Driver(stateOf([subtask('a'), subtask('b'), subtask('c'), subtask('d')]), t0);
    expect(summarise(driver.state, t0)).toBe('Starting');
    for (const id of ['a', 'b', 'c', 'd']) driver.begin(id);
    driver.fail('a', failureOf());
    driver.begin('a');
    driver.fail('b', failureOf({ type: 'timeout' }));
    driver.fail('c', blocked);
    expect(summarise(driver.state, t0)).toBe(
      'Running d and a (attempt 2); b will be tried again soon: it broke; 1 question open',
    );
    driver.stop('ana stopped it');
    expect(summarise(driver.state, t0)).toBe('Stopping: ana stopped it');
  });

  test('says what it waits for', () => {
    const driver = new Driver(stateOf([subtask('a'), subtask('b')]), t0);
    driver.begin('a');
    driver.begin('b');
    driver.fail('a', blocked);
    driver.fail('b', blocked);
    expect(summarise(driver.state, t0)).toBe('Waiting for 2 answers: a-1 and b-1');
    const plan = stateOf([subtask('a')]);
    apply(plan, { type: 'decision.opened', decision: planQuestionOf() }, t0);
    expect(summarise(plan, t0)).toBe('Waiting for your approval of the plan');
  });

  test('says why it is paused and what still finishes, in one line', () => {
    const driver = new Driver(stateOf([subtask('a')]), t0);
    driver.begin('a');
    driver.record({ type: 'task.paused', reason: 'release\nfreeze', by: 'person' });
    expect(summarise(driver.state, t0)).toBe('Paused: release freeze (a still finishing)');
  });
});

describe('ladderOf', () => {
  test("is the subtask's own ladder where it has one", () => {
    const state = stateOf([subtask('a', { ladder: [rung({ tier: 3 })] }), subtask('b')]);
    expect(resolveLadder(state, 'a')).toMatchObject({ steps: [{ tier: 3 }], person: false });
    expect(resolveLadder(state, 'b').steps).toHaveLength(4);
  });
});
