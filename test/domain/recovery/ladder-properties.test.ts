import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  attemptsAfterAnswer,
  climbAfter,
  climbAfterAnswer,
  firstClimb,
  reduceLadder,
} from '../../../domain/recovery/ladder.ts';
import type { Rung, Tier } from '../../../domain/types/subtask.ts';
import { defaultLadder, person, rung } from '../support-task.ts';

/* Properties of every ladder under any failures and answers. */

const anyRung = fc.record({
  tier: fc.constantFrom<Rung['tier'][]>('assigned', 'next', 'highest', 1, 2, 3),
  feedback: fc.boolean(),
  thinking: fc.boolean(),
});
const anyLadder = fc
  .tuple(fc.array(anyRung, { minLength: 1, maxLength: 7 }), fc.boolean())
  .map(([rungs, asks]): Rung[] => [...rungs.map((given) => rung(given)), ...(asks ? [person] : [])]);
const anyTier = fc.constantFrom<Tier[]>(1, 2, 3);
const anyFailure = fc.record({
  signature: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'),
  tries: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  known: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined, freq: 6 }),
});
const anyFailures = fc.record({
  rungs: anyLadder,
  tier: anyTier,
  maxAttempts: fc.integer({ min: 1, max: 12 }),
  failures: fc.array(anyFailure, { minLength: 1, maxLength: 40 }),
  answers: fc.nat(3),
});

describe('every ladder', () => {
  test('never lets step, tier or count fall, stays within its attempts, and reaches a person or the end', () => {
    fc.assert(
      fc.property(anyFailures, ({ rungs, tier, maxAttempts, failures, answers }) => {
        const ladder = reduceLadder(rungs, tier);
        let climb = firstClimb(maxAttempts);
        let given = 0;
        let sinceAnswer = 0;
        let promised = Infinity;
        for (let turn = 0; ; turn += 1) {
          const failure = failures[turn % failures.length]!;
          const before = ladder.steps[climb.step];
          expect(before).toBeDefined();
          climb = { ...climb, attempts: climb.attempts + 1 };
          sinceAnswer += 1;
          expect(climb.attempts).toBeLessThanOrEqual(maxAttempts + 3 * given);
          const facts = {
            signature: failure.signature,
            ...(failure.tries === undefined ? {} : { tries: failure.tries }),
          };
          const fix = failure.known === undefined ? undefined : { rung: failure.known };
          const next = climbAfter(ladder, climb, facts, fix);
          expect(climbAfter(ladder, climb, facts, fix)).toEqual(next);
          if (next.kind === 'climb') {
            expect(next.climb.step).toBeGreaterThanOrEqual(climb.step);
            expect(ladder.steps[next.climb.step]!.tier).toBeGreaterThanOrEqual(before!.tier);
            expect(next.climb.counts[failure.signature]).toBe((climb.counts[failure.signature] ?? 0) + 1);
            climb = next.climb;
            continue;
          }
          expect(next.kind).toBe(ladder.person ? 'person' : 'fail');
          // The cost that a person was told holds, unless the plan's own tries say more.
          if (given > 0 && failures.every(({ tries }) => (tries ?? 3) <= 3)) {
            expect(sinceAnswer).toBeLessThanOrEqual(promised);
          }
          if (next.kind === 'fail' || given === answers) return;
          given += 1;
          sinceAnswer = 0;
          promised = attemptsAfterAnswer(ladder, climb);
          const answeredClimb = climbAfterAnswer(climb);
          expect(answeredClimb.step).toBe(climb.step);
          expect(answeredClimb.maxAttempts).toBe(climb.maxAttempts + 3);
          climb = answeredClimb;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('climbs at once when the same failure comes again', () => {
    fc.assert(
      fc.property(anyLadder, anyTier, (rungs, tier) => {
        const ladder = reduceLadder(rungs, tier);
        let climb = firstClimb(100);
        for (let turn = 0; ; turn += 1) {
          // More than three rungs of one strength are left early by the rule of three, so: at least as high.
          expect(climb.step).toBeGreaterThanOrEqual(turn);
          const next = climbAfter(ladder, climb, { signature: 'A' });
          if (next.kind !== 'climb') return;
          climb = next.climb;
        }
      }),
    );
  });

  test('is not changed by a climb: counts are not shared between attempts', () => {
    const climb = firstClimb(8);
    climbAfter(reduceLadder(defaultLadder, 1), climb, { signature: 'A' });
    climbAfterAnswer(climb);
    expect(climb).toEqual(firstClimb(8));
  });
});
