// How long an attempt stands still for the limit of a plan, and where the time is found that a program tells in prose.
import { describe, expect, test } from 'vitest';
import { computePlanWait } from '../../../../activities/execute/program/plan-wait.ts';
import { resetTimeIn } from '../../../../activities/agent-clis/reset-time.ts';
import { activityLimits } from '../../../../activities/limits/activity-limits.ts';

const now = Date.parse('2026-11-17T06:30:10');
const { most, least, times } = activityLimits.planWait;

describe('the wait', () => {
  const limited = { type: 'rate-limited' } as const;
  const error = { message: '', names: [] };

  test.each([
    ['until the limit is lifted', { resetsAt: now + 90_000 }, 91_000],
    ['a moment, when that is past', { resetsAt: now - 90_000 }, least],
    ['a day at most', { resetsAt: now + 7 * most }, most],
    ['as long as a service asks, when no retry policy waits so long', { retryAfterMs: 3_600_000 }, 3_600_000],
    ['not at all, when the retry policy does', { retryAfterMs: 2_000 }, undefined],
    ['not at all, when nobody says how long', {}, undefined],
  ])('%s', (_, facts, wait) => {
    expect(computePlanWait({ ...error, ...facts }, limited, { waited: 0, now })).toBe(wait);
  });

  test('is no way to wait for ever, and for nothing but a limit', () => {
    const lifted = { ...error, resetsAt: now + 90_000 };
    expect(computePlanWait(lifted, limited, { waited: times, now })).toBeUndefined();
    expect(computePlanWait(lifted, { type: 'safety' }, { waited: 0, now })).toBeUndefined();
  });
});

describe('a time in prose', () => {
  test.each([
    ['or try again at 7:02 AM.', '2026-11-17T07:03:00'],
    ['or try again at 6:02 AM.', '2026-11-18T06:03:00'],
    ['try again at 12:15 AM', '2026-11-18T00:16:00'],
    ['try again at Nov 19th, 2026 1:54 PM.', '2026-11-19T13:55:00'],
  ])('%s', (message, time) => {
    expect(new Date(resetTimeIn(message, now) ?? 0)).toEqual(new Date(time));
  });

  test('is none where none is said', () => {
    expect(resetTimeIn('try again later, at 7', now)).toBeUndefined();
  });
});
