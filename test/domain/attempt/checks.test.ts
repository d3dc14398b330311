/* Checks that a model planned and a gate asks about: nothing of their subtask starts before each is answered. */
import { describe, expect, test } from 'vitest';
import type { AskedCheck, CheckAnswer } from '../../../domain/types/basic/gate.ts';
import type { OnTimeout } from '../../../domain/types/decision.ts';
import { currentDetails } from '../../../domain/views/current-details.ts';
import { stalled } from '../../../domain/schedule/task-ending.ts';
import { startable, taskStatus } from '../../../domain/schedule/schedule.ts';
import { subtaskOf } from '../../../domain/task/read-state.ts';
import { statusOf } from '../../../domain/task/subtask-phase.ts';
import { failureOf, stateOf, subtask, t0 } from '../support-task.ts';
import { Driver } from './support-driver.ts';

const make: AskedCheck = {
  command: 'make test',
  why: 'A rule of the config asks about it: `shell:make`.',
  hash: 'h1',
  danger: 'rule',
  signature: 'gate:rule:make',
};
const inline: AskedCheck = {
  ...make,
  command: 'node -e 1',
  hash: 'h2',
  danger: 'code',
  signature: 'gate:code:node -e',
};

/** `a` has these checks, `b` none. */
function planned(asked: AskedCheck[], onTimeout: OnTimeout = 'wait'): Driver {
  const approval = { mode: 'off' as const, at: 1, onTimeout, timeout: 60_000 };
  const driver = new Driver(stateOf([subtask('a', { askedChecks: asked }), subtask('b')], { approval }), t0);
  driver.beginAll();
  return driver;
}

const running = ({ state }: Driver): string[] => state.queue.running;

describe('a check that is asked about', () => {
  test('is shown as it would run, and holds back its own subtask alone', () => {
    const driver = planned([make]);
    const [decision] = driver.state.decisions.open;
    expect(decision).toMatchObject({
      id: 'a-1',
      kind: 'approval',
      subtask: 'a',
      check: true,
      action: { tool: 'shell', arguments: { command: 'make test' }, hash: 'h1' },
      recommendation: 'approve',
    });
    expect(decision?.problem).toContain('A model planned this check.');
    expect(running(driver)).toEqual(['b']);
    expect(subtaskOf(driver.state, 'a')).toMatchObject({
      phase: { name: 'asked' },
      startedAt: null,
      decisionCount: 0,
    });
    expect(currentDetails(driver.state, t0)).toContain('make test');
    driver.pass('b');
    expect(taskStatus(driver.state, t0)).toBe('waiting');
  });

  test.each([
    ['model', {}, 'A model planned this check.'],
    ['project', { source: 'project' as const }, "This check is the project's own test."],
    ['task', { source: 'goal' as const }, 'The task names this check for its goal.'],
  ])('names the %s as its source', (_, source, words) => {
    expect(planned([{ ...make, ...source }]).state.decisions.open[0]?.problem).toContain(words);
  });

  test('keeps its subtask from starting, whether it has been asked or not', () => {
    expect(startable(stateOf([subtask('a', { askedChecks: [make] }), subtask('b')]), t0)).toEqual(['b']);
  });

  test('is no stall before it is asked: a run that nears its end leaves that to the next', () => {
    expect(stalled(stateOf([subtask('a', { askedChecks: [make] })]), t0)).toEqual([]);
  });

  test.each<[string, object, CheckAnswer]>([
    ['approve', {}, { hash: 'h1', option: 'approve' }],
    ['reject', { instruction: 'no' }, { hash: 'h1', option: 'reject' }],
    ['edit', { value: { command: 'make check' } }, { hash: 'h1', option: 'edit', command: 'make check' }],
  ])('lets its subtask start once it is answered with %s', (option, more, answer) => {
    const driver = planned([make]);
    driver.answer({ decisionId: 'a-1', option, ...more });
    driver.beginAll();
    expect(subtaskOf(driver.state, 'a').checkAnswers).toEqual([answer]);
    expect(running(driver)).toContain('a');
    expect(driver.state.decisions.open).toEqual([]);
  });

  test('is asked about one by one, each once', () => {
    const driver = planned([make, inline]);
    driver.answer({ decisionId: 'a-1', option: 'approve' });
    driver.beginAll();
    expect(driver.state.decisions.open).toMatchObject([{ id: 'a-2', action: { hash: 'h2' } }]);
    expect(running(driver)).toEqual(['b']);
    driver.answer({ decisionId: 'a-2', option: 'reject' });
    driver.beginAll();
    expect(running(driver)).toEqual(['b', 'a']);
  });

  test('is not asked about again in later attempts', () => {
    const driver = planned([make]);
    driver.answer({ decisionId: 'a-1', option: 'approve' });
    driver.beginAll();
    driver.fail('a', failureOf());
    driver.beginAll();
    expect([driver.state.decisions.open, running(driver)]).toEqual([[], ['b', 'a']]);
  });

  test('of a kind that is allowed for good is answered at once', () => {
    const driver = planned([make]);
    driver.answer({ decisionId: 'a-1', option: 'approve', scope: 'signature' });
    expect(driver.state.decisions.standing['gate:rule:make']).toMatchObject({ option: 'approve' });
    const later = stateOf([subtask('a', { askedChecks: [make] })]);
    later.decisions.standing = { ...driver.state.decisions.standing };
    const other = new Driver(later, t0);
    other.beginAll();
    expect(running(other)).toEqual(['a']);
    expect(subtaskOf(later, 'a').checkAnswers).toEqual([{ hash: 'h1', option: 'approve' }]);
  });

  test.each<[OnTimeout, string, unknown]>([
    ['deny', 'running', [{ hash: 'h1', option: 'reject' }]],
    ['skip', 'skipped', undefined],
    ['proceed', 'waiting', undefined],
  ])('at its deadline, with %s: %s; nothing is approved', (onTimeout, status, checks) => {
    const driver = planned([make], onTimeout);
    driver.now += 61_000;
    driver.beginAll();
    const a = subtaskOf(driver.state, 'a');
    expect([statusOf(a), a.checkAnswers]).toEqual([status, checks]);
  });

  test('is not asked about while the task is paused', () => {
    const state = stateOf([subtask('a', { askedChecks: [make] })]);
    const driver = new Driver(state, t0);
    driver.record({ type: 'task.paused', reason: 'wait', by: 'person' });
    driver.beginAll();
    expect(state.decisions.open).toEqual([]);
    driver.record({ type: 'task.resumed' });
    driver.beginAll();
    expect(state.decisions.open).toHaveLength(1);
  });
});
