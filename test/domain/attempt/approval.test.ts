import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBudget, raisedLimit } from '../../../domain/schedule/budget-limits.ts';
import { approvalStep, confidence } from '../../../domain/attempt/confidence.ts';
import type { ApprovalPolicy, Subtask } from '../../../domain/types/subtask.ts';
import { recordOf, subtaskOf } from '../../../domain/task/read-state.ts';
import { statusOf } from '../../../domain/task/subtask-phase.ts';
import { judgementOf, rung, stateOf, subtask, t0 } from '../support-task.ts';
import { Driver } from './support-driver.ts';

/* When a finished subtask needs a person, and when a budget does. */

const mode = (given: ApprovalPolicy['mode'], at = 0.8): ApprovalPolicy => ({ mode: given, at, onTimeout: 'wait' });

describe('the confidence of a finished subtask', () => {
  test.each<[number, number | undefined, number, number, boolean, number, number]>([
    [1, undefined, 0, 8, false, 1, 1.0],
    [1, undefined, 1, 8, false, 1, 0.964286],
    [1, undefined, 4, 8, false, 1, 0.857143],
    [1, undefined, 7, 8, false, 1, 0.75],
    [1, undefined, 8, 8, false, 1, 0.714286],
    [1, undefined, 0, 1, false, 1, 1.0],
    [0.5, undefined, 0, 8, false, 1, 0.785714],
    [0, undefined, 0, 8, false, 1, 0.571429],
    [1, undefined, 0, 8, true, 1, 0.857143],
    [1, undefined, 0, 8, false, 0.5, 0.928571],
    [1, undefined, 0, 8, false, 0, 0.857143],
    [0.5, undefined, 4, 8, true, 0.5, 0.428571],
    [0, undefined, 8, 8, true, 0, 0.0],
    [0.75, undefined, 2, 8, false, 1, 0.821429],
    [0.9, undefined, 1, 3, false, 0.8, 0.833333],
    [1, undefined, 2, 3, false, 1, 0.809524],
    [1, undefined, 2, 3, true, 0, 0.52381],
    [0.25, undefined, 0, 8, false, 1, 0.678571],
    [0, undefined, 4, 8, false, 0, 0.285714],
    [1, undefined, 10, 11, false, 1, 0.74026],
    [1, 1, 0, 8, false, 1, 1.0],
    [1, 0.95, 0, 8, false, 1, 0.985],
    [1, 0.9, 0, 8, false, 1, 0.97],
    [1, 0.85, 1, 8, false, 1, 0.93],
    [1, 0.5, 0, 8, false, 1, 0.85],
    [1, 0.34, 0, 8, false, 1, 0.802],
    [1, 0.3, 0, 8, false, 1, 0.79],
    [1, 0, 0, 8, false, 1, 0.7],
    [1, 0, 4, 8, false, 1, 0.6],
    [1, 0, 7, 8, true, 0, 0.325],
    [0.5, 0.5, 4, 8, false, 0.5, 0.55],
    [0, 0, 0, 8, false, 1, 0.4],
    [0, 0, 8, 8, true, 0, 0.0],
    [0, 0, 8, 8, false, 1, 0.2],
    [0, 0, 8, 8, false, 0.5, 0.15],
    [0.5, 0, 8, 8, true, 0.5, 0.2],
    [0.4, 0.2, 6, 8, true, 0, 0.23],
    [0.2, 0.1, 7, 8, true, 0.1, 0.125],
    [1, 1, 0, 8, true, 1, 0.9],
    [1, 1, 0, 8, true, 0, 0.8],
    [1, 1, 7, 8, true, 0, 0.625],
    [0.5, 1, 0, 8, false, 1, 0.85],
    [0.75, 0.8, 1, 8, false, 0.9, 0.83],
    [0.6, 0.4, 3, 8, false, 0.7, 0.595],
    [0.5, 0.5, 2, 4, true, 1, 0.5],
  ])(
    'checks %d, judge %s, %d retries of %d, destructive %s, tools %d: %d',
    (checks, judge, retries, maxAttempts, destructive, tools, score) => {
      const facts = { checks, retries, maxAttempts, destructive, tools, ...(judge === undefined ? {} : { judge }) };
      expect(confidence(facts)).toBe(score);
    },
  );

  test('is a share, and never falls when a part of it rises', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const facts = fc.record(
      {
        checks: share,
        judge: share,
        retries: fc.nat(20),
        maxAttempts: fc.integer({ min: 1, max: 12 }),
        destructive: fc.boolean(),
        tools: share,
      },
      { requiredKeys: ['checks', 'retries', 'maxAttempts', 'destructive', 'tools'] },
    );
    fc.assert(
      fc.property(facts, share, (given, more) => {
        const score = confidence(given);
        expect(score >= 0 && score <= 1).toBe(true);
        expect(confidence({ ...given, checks: Math.max(given.checks, more) })).toBeGreaterThanOrEqual(score);
        expect(confidence({ ...given, tools: Math.max(given.tools, more) })).toBeGreaterThanOrEqual(score);
        expect(confidence({ ...given, retries: given.retries + 1 })).toBeLessThanOrEqual(score);
      }),
    );
  });
});

describe('the approval mode', () => {
  const rows: [ApprovalPolicy, number, string][] = [
    [mode('off'), 0, 'proceed'],
    [mode('manual'), 1, 'ask'],
    [mode('threshold', 0.7), 0.7, 'proceed'],
    [mode('threshold', 0.7), 0.69, 'ask'],
    [mode('auto'), 0.8, 'proceed'],
    [mode('auto'), 0.79, 'ask-then-proceed'],
    [mode('auto'), 0.5, 'ask-then-proceed'],
    [mode('auto'), 0.499999, 'ask'],
    [mode('auto'), 0.2, 'ask'],
    [mode('auto'), 0.199999, 'fail'],
    [mode('auto'), 0, 'fail'],
    [mode('auto'), 1, 'proceed'],
    [mode('auto'), 0.799999, 'ask-then-proceed'],
    [mode('threshold', 1), 1, 'proceed'],
    [mode('threshold', 1), 0.999999, 'ask'],
    [mode('threshold', 0), 0, 'proceed'],
    [mode('manual'), 0, 'ask'],
    [mode('off'), 1, 'proceed'],
  ];
  test.each(rows)('%j at %d: %s', (approval, score, step) => {
    expect(approvalStep(approval, score)).toBe(step);
  });
});

describe('checkBudget', () => {
  test('warns at four fifths and is exhausted at the limit', () => {
    expect(checkBudget({ costUsd: 10, tokens: 100, modelCalls: 5 }, { costUsd: 8, tokens: 100 })).toEqual([
      { key: 'costUsd', used: 8, limit: 10, level: 'warning' },
      { key: 'tokens', used: 100, limit: 100, level: 'exhausted' },
    ]);
    expect(checkBudget({}, { costUsd: 8 })).toEqual([]);
  });
});

describe('raisedLimit', () => {
  const at = (limit: number, used = 0) => ({ limit, used });

  test('is twice the larger of limit and use without a value, and the value when it is above both', () => {
    expect(raisedLimit('tokens', at(10), undefined)).toBe(20);
    expect(raisedLimit('tokens', at(10, 45), undefined)).toBe(90);
    expect(raisedLimit('tokens', at(10), 11)).toBe(11);
    expect(raisedLimit('tokens', at(10, 45), 46)).toBe(46);
    expect(raisedLimit('costUsd', at(1), ' 2.5 ')).toBe(2.5);
    expect(raisedLimit('wallClock', at(1_000), '3s')).toBe(3_000);
  });

  test('is none when the same question would be asked again', () => {
    for (const value of [10, 9, 0, -1, Number.NaN, Infinity, '10', 'ten', {}, [], true, '']) {
      expect(raisedLimit('tokens', at(10), value)).toBeUndefined();
    }
    expect(raisedLimit('tokens', at(10, 45), 45)).toBeUndefined();
    expect(raisedLimit('tokens', at(0), undefined)).toBeUndefined();
    expect(raisedLimit('wallClock', at(1_000), 'soon')).toBeUndefined();
  });
});

describe('a result that passed and that nobody is sure of', () => {
  const unsure = (given: Partial<Subtask> = {}): Driver => {
    const driver = new Driver(
      stateOf([subtask('a', { verification: 2, ...given }), subtask('b', { dependsOn: ['a'] })], {
        approval: { mode: 'auto', at: 0.8, onTimeout: 'wait' },
        limits: { failBelow: 0.45 },
      }),
      t0,
    );
    driver.begin('a');
    driver.pass('a', 'pass-with-warnings');
    driver.judge('a', { judgement: judgementOf({ outcome: 'pass-with-warnings', confidence: 0 }) });
    return driver;
  };

  test('is failed, and a person is asked with the score', () => {
    const { state } = unsure();
    expect(recordOf(state, 'a')).toMatchObject({
      outcome: 'failed',
      confidence: 0.4,
      failure: { type: 'verification-failed' },
    });
    const problem =
      'a is done and its checks passed, but the confidence in its result is too low to rely on it (0.40).';
    expect(state.decisions.open).toMatchObject([{ kind: 'escalation', subtask: 'a', score: 0.4, problem }]);
    expect(recordOf(state, 'a')?.failure?.suggestedFix).not.toContain('failing checks');
  });

  test('fails the subtask where the ladder has no person', () => {
    const { state } = unsure({ ladder: [rung()] });
    expect(statusOf(subtaskOf(state, 'a'))).toBe('failed');
    expect(statusOf(subtaskOf(state, 'b'))).toBe('blocked');
  });

  test('is told with the answer', () => {
    const driver = unsure();
    driver.answer({ decisionId: 'a-1', option: 'skip', by: 'ana' });
    expect(driver.state.log.events.find(({ type }) => type === 'decision.answered')).toMatchObject({
      option: 'skip',
      score: 0.4,
    });
  });
});
