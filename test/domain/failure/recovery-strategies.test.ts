// The recovery from each type of failure, and the overrides of a plan.
import { describe, expect, test } from 'vitest';
import { failureTypes } from '../../../domain/types/basic/failure-types.ts';
import { planLimits } from '../../../domain/input/limits.ts';
import {
  addEmphasis,
  mergeRecovery,
  strategies,
  strategyFor,
  timeLimitAfter,
} from '../../../domain/failure/recovery-strategies.ts';
import { failureOf } from '../support-task.ts';

describe('the table of strategies', () => {
  test('waits after a timeout and after an empty output, nowhere else', () => {
    const waits = failureTypes.filter((type) => strategies[type].wait > 0).map((type) => [type, strategies[type].wait]);
    expect(waits).toEqual([
      ['timeout', 1_500],
      ['empty-output', 1_200],
    ]);
  });

  test('has advice wherever there is a next attempt', () => {
    const silent = failureTypes.filter(
      (type) => strategies[type].category === 'quality' && strategies[type].emphasis === '',
    );
    // After an unreadable verifier only the verification runs again, so the executor gets no advice.
    expect(silent).toEqual(['verifier-unreadable', 'unknown']);
  });

  test('has texts that a prompt shows whole', () => {
    for (const type of failureTypes) expect(strategies[type].emphasis.length).toBeLessThanOrEqual(planLimits.emphasis);
  });
});

describe('overrides', () => {
  test('of a stronger layer replace single settings: plan, role, subtask', () => {
    const merged = mergeRecovery([
      { timeout: { tries: 2, wait: 1 }, auth: { emphasis: 'plan' } },
      undefined,
      { timeout: { wait: 2, emphasis: 'role' } },
      { timeout: { emphasis: 'subtask' } },
    ]);
    expect(merged).toEqual({ timeout: { tries: 2, wait: 2, emphasis: 'subtask' }, auth: { emphasis: 'plan' } });
    expect(mergeRecovery([])).toEqual({});
  });

  test('override the table one by one', () => {
    expect(strategyFor('timeout', { timeout: { wait: 0 } })).toEqual({ ...strategies.timeout, wait: 0 });
    expect(strategyFor('auth', { timeout: { wait: 0 } })).toEqual(strategies.auth);
  });

  test('change the advice for the next attempt', () => {
    const failure = failureOf({ suggestedFix: 'ours' });
    expect(addEmphasis(failure, {}).suggestedFix).toBe('ours');
    expect(addEmphasis(failure, { timeout: { emphasis: 'theirs' } }).suggestedFix).toBe('ours');
    expect(addEmphasis(failure, { 'tool-failed': { emphasis: 'theirs' } }).suggestedFix).toBe('theirs');
  });
});

describe('a time limit', () => {
  test('is half as long again after each timeout, and stays after other failures', () => {
    expect(timeLimitAfter({}, 1_000, {})).toBe(1_000);
    expect(timeLimitAfter({ timeout: 2, 'tool-failed': 3 }, 1_000, {})).toBe(2_250);
  });

  test('grows by at most half an hour', () => {
    const hour = 3_600_000;
    expect(timeLimitAfter({ timeout: 9 }, hour, {})).toBe(1.5 * hour);
    expect(timeLimitAfter({ timeout: 100_000 }, hour, {})).toBe(1.5 * hour);
  });

  test('grows as the plan says', () => {
    expect(timeLimitAfter({ timeout: 1 }, 1_000, { timeout: { timeoutFactor: 3 } })).toBe(3_000);
    expect(timeLimitAfter({ timeout: 1 }, 1_000, { timeout: { timeoutFactor: 1 } })).toBe(1_000);
    expect(timeLimitAfter({ 'tool-failed': 1 }, 1_000, { 'tool-failed': { timeoutFactor: 2 } })).toBe(2_000);
  });
});
