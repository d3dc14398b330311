/* A plan as it travels: nothing is lost by packing, and thousands of subtasks fit into one value of the history. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Plan, PlanRow } from '../../../domain/types/plan.ts';
import { completePlan } from '../../../domain/plan/complete-plan.ts';
import { packPlan, unpackPlan } from '../../../domain/plan/pack-plan.ts';
import { buildPlanRow } from '../../../domain/plan/plan-rows.ts';
import { accepted } from './plan-sample.ts';

const rung = fc.record({
  tier: fc.constantFrom('assigned' as const, 'next' as const, 3 as const),
  feedback: fc.boolean(),
  thinking: fc.boolean(),
  person: fc.boolean(),
  retry: fc.record({
    initialInterval: fc.nat(),
    backoff: fc.constantFrom(1, 2),
    maximumInterval: fc.nat(),
    maximumAttempts: fc.nat(9),
  }),
});

const call: fc.Arbitrary<PlanRow['call']> = fc.oneof(
  fc.record({ kind: fc.constant('command' as const), timeout: fc.nat(3) }),
  fc.record({ kind: fc.constant('agent' as const), timeout: fc.nat(3), spends: fc.constant(true as const) }),
  fc.record(
    {
      kind: fc.constant('activity' as const),
      timeout: fc.nat(3),
      name: fc.string({ maxLength: 3 }),
      taskQueue: fc.constant('q'),
      heartbeat: fc.nat(2),
    },
    { requiredKeys: ['kind', 'timeout', 'name', 'taskQueue'] },
  ),
);

const row = fc.record(
  {
    id: fc.string({ minLength: 1, maxLength: 4 }),
    dependsOn: fc.array(fc.nat(50), { maxLength: 4 }),
    deliverables: fc.array(fc.constantFrom('a', 'b', '__proto__', 'ü'), { maxLength: 3 }),
    synthesis: fc.boolean(),
    maxAttempts: fc.nat(3),
    tier: fc.constantFrom(1 as const, 2 as const, 3 as const),
    call,
    commands: fc.nat(3),
    isolation: fc.constant('worktree' as const),
    whenUnchecked: fc.constantFrom('judge' as const, 'ask' as const),
    ladder: fc.array(rung, { maxLength: 2 }),
    recovery: fc.constantFrom({}, { timeout: { tries: 2 } }, { auth: { wait: 3 }, timeout: {} }),
  },
  {
    requiredKeys: [
      'id',
      'dependsOn',
      'deliverables',
      'synthesis',
      'maxAttempts',
      'tier',
      'call',
      'commands',
      'recovery',
    ] as const,
  },
);

const plan: fc.Arbitrary<Plan> = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 30 }).map((rows) => ({
  version: 3,
  rows: rows.map((each) => ({
    ...each,
    dependsOn: each.dependsOn.flatMap((place) => rows[place]?.id ?? []),
  })),
  pages: [{ sha256: 'a'.repeat(64), bytes: 3, from: 0, count: rows.length }],
  definitions: null,
}));

describe('a packed plan', () => {
  test('is the same plan when it is unpacked, also after it was JSON', () => {
    fc.assert(
      fc.property(plan, (whole) => {
        const packed = packPlan(whole);
        expect(unpackPlan(packed)).toEqual(whole);
        expect(unpackPlan(JSON.parse(JSON.stringify(packed)) as typeof packed)).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  test('of 2,000 subtasks with 3 dependencies each is below 400 kB', () => {
    const subtasks = Array.from({ length: 2_000 }, (_, index) => ({
      id: `subtask-number-${index}`,
      description: `What subtask ${index} has to do`,
      dependsOn: [1, 2, 3].flatMap((back) => (index >= back ? [`subtask-number-${index - back}`] : [])),
      deliverables: [`out/file-${index}.md`],
      verify: ['true'],
    }));
    const { subtasks: whole } = completePlan(
      accepted({ goal: 'g', executor: { kind: 'command', run: ['sh'] }, subtasks }),
    );
    const packed = packPlan({ version: 1, rows: whole.map(buildPlanRow), pages: [], definitions: null });
    expect(Buffer.byteLength(JSON.stringify(packed))).toBeLessThan(400_000);
    expect(packed.kinds).toHaveLength(1);
  });

  test('with an index that leads nowhere is damaged, not an empty list', () => {
    const whole = packPlan({ version: 1, rows: [], pages: [], definitions: null });
    expect(() => unpackPlan({ ...whole, rows: [{ id: 'a', kind: 0 }] })).toThrow('refers to 0');
  });
});
