/* parsePlan on anything: it never throws, it blames only what is there, and its time grows with the plan. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completePlan } from '../../../domain/plan/complete-plan.ts';
import { parsePlan } from '../../../domain/plan/parse-plan.ts';
import { planError } from '../../../domain/input/problem.ts';
import { accepted, planWith } from './plan-sample.ts';

const words = fc.constantFrom(
  ...['goal', 'subtasks', 'id', 'dependsOn', 'executor', 'kind', 'command', 'run', 'ladder', 'tier', 'person', 'retry'],
  ...[
    'rules',
    'pattern',
    'recovery',
    'timeout',
    'tries',
    'approval',
    'mode',
    'budget',
    'env',
    'deliverables',
    'verify',
  ],
  ...['__proto__', 'constructor', 'toString', 'off', 'a', '../a', '(', '10m', ''],
);

/** JSON made of the words of a plan, so that the schema is entered deeply. */
const planLike = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(words, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.string()),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(words, tie('value')), { maxLength: 6 }).map(toObject),
  ),
})).value;

/** As JSON.parse makes it: `__proto__` is a key like any other. */
function toObject(entries: [string, unknown][]): object {
  const made: unknown = JSON.parse(
    `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
  );
  return Object(made) as object;
}

const mutated = fc.tuple(words, planLike, fc.boolean()).map(([key, value, inSubtask]) => {
  const change = toObject([[key, value]]);
  return inSubtask ? planWith({}, { ...change }) : planWith({ ...change });
});

function check(value: unknown): void {
  const parsed = parsePlan(value);
  if (parsed.ok) {
    expect(completePlan(parsed.plan).subtasks.length).toBeGreaterThan(0);
    return;
  }
  expect(parsed.problems.length).toBeGreaterThan(0);
  for (const { code, message, where, hint } of parsed.problems) {
    expect(code).toMatch(/^PLAN_[A-Z_]+$/);
    expect(`${message}\n${where ?? ''}\n${hint ?? ''}`.split('\n')).toHaveLength(3);
    expect(message).not.toMatch(/undefined|\[object|Invalid input|Unrecognized/);
    expect(hint).toBeTruthy();
  }
  const error = planError(parsed.problems);
  expect(error.code).toBe(parsed.problems.length === 1 ? parsed.problems[0]!.code : 'PLAN_INVALID');
}

describe('parsePlan', () => {
  test('accepts any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), check), { numRuns: 500 });
  });

  test('accepts any JSON made of the keys of a plan', () => {
    fc.assert(fc.property(planLike, check), { numRuns: 1_000 });
  });

  test('accepts any plan with one thing changed', () => {
    fc.assert(fc.property(mutated, check), { numRuns: 1_000 });
    expect(Object.hasOwn(Object.prototype, 'tries')).toBe(false);
  });

  test('does not change its input', () => {
    const value = planWith({}, { deliverables: ['./a'], id: 'cafe\u0301' });
    const before = JSON.stringify(value);
    accepted(value);
    expect(JSON.stringify(value)).toBe(before);
  });

  test('does not throw on lists longer than a call has room for arguments', () => {
    const many = Array.from({ length: 150_000 }, () => ({}));
    expect(parsePlan({ goal: 'g', subtasks: many }).ok).toBe(false);
    expect(parsePlan(planWith({}, { dependsOn: many.map((_, index) => `x${index}`) })).ok).toBe(false);
  });
});

describe('a long plan', () => {
  const chain = (size: number): unknown =>
    planWith({
      subtasks: Array.from({ length: size }, (_, index) => ({
        id: `step-${index}`,
        description: 'Do the next thing',
        dependsOn: index === 0 ? [] : [`step-${index - 1}`, 'step-0'],
        deliverables: [`out/${index}.txt`],
        rules: [{ pattern: 'TODO', in: ['*.md'] }],
      })),
    });

  /** Processor time of this thread: what the work takes, however busy the machine is. */
  function cost(run: () => void): number {
    const start = process.threadCpuUsage();
    run();
    return process.threadCpuUsage(start).user;
  }

  test('of 2,000 subtasks takes about ten times as long as one of 200', () => {
    const short = chain(200);
    const long = chain(2_000);
    let [shortest, least] = [Infinity, Infinity];
    // Quadratic work would take ten times as long. The best of some runs, and only as many as it takes to see that it is not.
    for (let time = 0; time < 9 && !(least < 4 * shortest); time += 1) {
      shortest = Math.min(
        shortest,
        cost(() => {
          for (let each = 0; each < 10; each += 1) accepted(short);
        }),
      );
      least = Math.min(
        least,
        cost(() => accepted(long)),
      );
    }
    // Some systems count by hundredths of a second: what takes less is no measure.
    expect(least / Math.max(shortest, 10_000)).toBeLessThan(4);
  });

  test('of more subtasks than one task can hold is refused', () => {
    const parsed = parsePlan(chain(2_001));
    expect(parsed).toMatchObject({ ok: false, problems: [{ code: 'PLAN_WRONG_TYPE', where: 'subtasks' }] });
  });
});
