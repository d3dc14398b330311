import { describe, expect, it } from 'vitest';
import { checkBudget, raisedLimit } from '../../../domain/task/budget.ts';
import { approvalStep, confidence } from '../../../domain/course/confidence.ts';
import type { Approval } from '../../../domain/model/subtask.ts';

/* When a finished subtask needs a person, and when a budget does. */

const mode = (given: Approval['mode'], at = 0.8): Approval => ({ mode: given, at, onTimeout: 'wait' });

describe('the confidence of a finished subtask', () => {
  it('weighs checks, retries and warnings, and leaves out what did not take place', () => {
    const facts = { checksPassed: true, warnings: false, attempts: 1, gated: false };
    expect(confidence(facts)).toBe(1);
    expect(confidence({ ...facts, attempts: 2 })).toBeCloseTo(5 / 7);
    expect(confidence({ ...facts, warnings: true })).toBeCloseTo(5.5 / 7);
    expect(confidence({ ...facts, gated: true })).toBeCloseTo(6 / 7);
    expect(confidence({ ...facts, checksPassed: false, attempts: 2 })).toBeCloseTo(2 / 7);
  });

  it('of a retried subtask with warnings is still in the band that proceeds by itself', () => {
    expect(confidence({ checksPassed: true, warnings: true, attempts: 3, gated: false })).toBeGreaterThanOrEqual(0.5);
  });
});

describe('the approval mode', () => {
  const rows: [Approval, number, string][] = [
    [mode('off'), 0, 'proceed'],
    [mode('manual'), 1, 'ask'],
    [mode('threshold', 0.7), 0.7, 'proceed'],
    [mode('threshold', 0.7), 0.69, 'ask'],
    [mode('auto'), 0.8, 'proceed'],
    [mode('auto'), 0.79, 'ask-then-proceed'],
    [mode('auto'), 0.5, 'ask-then-proceed'],
    [mode('auto'), 0.49, 'ask'],
    [mode('auto'), 0.1, 'ask'],
  ];
  it.each(rows)('%j at %d: %s', (approval, score, step) => {
    expect(approvalStep(approval, score)).toBe(step);
  });
});

describe('checkBudget', () => {
  it('warns at four fifths and is exhausted at the limit', () => {
    expect(checkBudget({ costUsd: 10, tokens: 100, modelCalls: 5 }, { costUsd: 8, tokens: 100 })).toEqual([
      { key: 'costUsd', used: 8, limit: 10, level: 'warning' },
      { key: 'tokens', used: 100, limit: 100, level: 'exhausted' },
    ]);
    expect(checkBudget({}, { costUsd: 8 })).toEqual([]);
  });
});

describe('raisedLimit', () => {
  const at = (limit: number, used = 0) => ({ limit, used });

  it('is twice the larger of limit and use without a value, and the value when it is above both', () => {
    expect(raisedLimit('tokens', at(10), undefined)).toBe(20);
    expect(raisedLimit('tokens', at(10, 45), undefined)).toBe(90);
    expect(raisedLimit('tokens', at(10), 11)).toBe(11);
    expect(raisedLimit('tokens', at(10, 45), 46)).toBe(46);
    expect(raisedLimit('costUsd', at(1), ' 2.5 ')).toBe(2.5);
    expect(raisedLimit('wallClock', at(1_000), '3s')).toBe(3_000);
  });

  it('is none when the same question would be asked again', () => {
    for (const value of [10, 9, 0, -1, Number.NaN, Infinity, '10', 'ten', {}, [], true, '']) {
      expect(raisedLimit('tokens', at(10), value)).toBeUndefined();
    }
    expect(raisedLimit('tokens', at(10, 45), 45)).toBeUndefined();
    expect(raisedLimit('tokens', at(0), undefined)).toBeUndefined();
    expect(raisedLimit('wallClock', at(1_000), 'soon')).toBeUndefined();
  });
});
