/* The defaults of a plan, and the normalisation of its values. */
import { describe, expect, test } from 'vitest';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import type { PlanParts } from '../../../domain/plan/complete-plan.ts';
import { completePlan, planDefaults } from '../../../domain/plan/complete-plan.ts';
import type { Rung, Subtask } from '../../../domain/types/subtask.ts';
import { accepted, planWith } from './plan-sample.ts';

const complete = (plan: Record<string, unknown> = {}, subtask: Record<string, unknown> = {}): PlanParts =>
  completePlan(accepted(planWith(plan, subtask)));
const completeSubtask = (subtask: Record<string, unknown>): Subtask => complete({}, subtask).subtasks[0]!;
const completeRung = (rung: Record<string, unknown>): Rung => complete({ ladder: [rung] }).ladder[0]!;

describe('a minimal plan', () => {
  test('gets every default', () => {
    const { ladder, subtasks, ...rest } = complete();
    expect(rest).toEqual({
      goal: 'g',
      shareWorkspace: false,
      approval: { mode: 'off', at: 0.8, onTimeout: 'wait' },
      planApproval: false,
      planning: { degraded: 'allow', tries: 3 },
      maxParallelSubtasks: 5,
      escalationPause: 5,
      budget: {},
    });
    expect(subtasks).toEqual([
      {
        id: 'a',
        description: 'a',
        dependsOn: [],
        tier: 1,
        executor: { kind: 'command', run: ['sh'], prompt: 'stdin', timeout: 1_800_000, env: [], onCrash: 'rerun' },
        deliverables: [],
        verify: [],
        criteria: [],
        requiredSections: [],
        rules: [],
        diff: false,
        contractCheck: 'warn',
        allowPartial: false,
        maxAttempts: 8,
        critical: false,
        synthesis: false,
        recovery: {},
      },
    ]);
    expect(ladder).toBe(planDefaults.ladder);
  });

  test('has the five rungs of the default ladder, each with the retry policy for temporary failures', () => {
    const shown = complete().ladder.map(({ tier, feedback, thinking, person }) => [tier, feedback, thinking, person]);
    expect(shown).toEqual([
      ['assigned', false, false, false],
      ['assigned', true, false, false],
      ['next', false, false, false],
      ['highest', false, true, false],
      ['highest', false, false, true],
    ]);
    expect(completeRung({ tier: 2, output: 1.5 })).toMatchObject({ tier: 2, output: 1.5 });
    expect(completeRung({ tier: 2 })).not.toHaveProperty('output');
    expect(complete().ladder.every(({ retry }) => retry === limits.transientRetry)).toBe(true);
  });

  test('takes its defaults from the caller', () => {
    const defaults = { ...planDefaults, tier: 2, maxAttempts: 3, timeout: 1_000 } as const;
    expect(completePlan(accepted(planWith()), defaults).subtasks[0]).toMatchObject({
      tier: 2,
      maxAttempts: 3,
      executor: { timeout: 1_000 },
    });
  });

  test('without an executor is an error for a caller that did not check it', () => {
    const plan = { ...accepted(planWith({}, { executor: { kind: 'command', run: ['sh'] } })), subtasks: [{ id: 'x' }] };
    const { executor, ...bare } = plan;
    expect(executor).toBeDefined();
    expect(() => completePlan(bare)).toThrow(HeddleError);
  });
});

describe('a given value', () => {
  test('is merged with the defaults of its map', () => {
    const approval = { mode: 'manual', onTimeout: 'deny', timeout: '2h' };
    expect(complete({ approval }).approval).toEqual({ mode: 'manual', at: 0.8, onTimeout: 'deny', timeout: 7_200_000 });
    expect(complete({ approval: 'threshold' }).approval).toEqual({ mode: 'threshold', at: 0.8, onTimeout: 'wait' });
    expect(complete({ approval: false }).approval.mode).toBe('off');
    expect(completeSubtask({ contractCheck: false }).contractCheck).toBe('off');
    expect(completeSubtask({ rules: [{ pattern: 'x' }] }).rules).toEqual([
      { pattern: 'x', in: [], must: 'absent', severity: 'hard' },
    ]);
  });

  test('of a subtask replaces that of the plan as a whole', () => {
    const { executor } = completeSubtask({ executor: { kind: 'command', run: ['make'], prompt: 'file' } });
    expect(executor).toMatchObject({ run: ['make'], prompt: 'file', timeout: limits.commandTimeout });
    const recovery = { timeout: { tries: 1 } };
    const parts = complete({ recovery: { timeout: { tries: 5 }, auth: { tries: 2 } } }, { recovery });
    expect(parts.subtasks[0]?.recovery).toEqual({ timeout: { tries: 1 }, auth: { tries: 2 } });
  });

  test("of a recovery override is merged with the plan's override of the same failure", () => {
    const ofPlan = { timeout: { tries: 2, wait: '0s', timeoutFactor: 2 } };
    const parts = complete({ recovery: ofPlan }, { recovery: { timeout: { tries: 1, emphasis: 'Be quick.' } } });
    expect(parts.subtasks[0]?.recovery).toEqual({
      timeout: { tries: 1, wait: 0, timeoutFactor: 2, emphasis: 'Be quick.' },
    });
  });

  test('of a ladder may be a number for a tier, and belongs to one subtask when given there', () => {
    expect(completeRung({ tier: 2 }).tier).toBe(2);
    const subtask = completeSubtask({ ladder: [{ tier: 3, timeout: '5m' }] });
    expect(subtask.ladder).toMatchObject([{ tier: 3, timeout: 300_000, person: false }]);
  });

  test('of a retry policy never makes one with the defaults that Temporal refuses', () => {
    const retryOf = (retry: Record<string, unknown>) => completeRung({ tier: 'next', retry }).retry;
    expect(retryOf({ initialInterval: '2m' })).toMatchObject({ initialInterval: 120_000, maximumInterval: 120_000 });
    expect(retryOf({ maximumInterval: '500ms' })).toMatchObject({ initialInterval: 500, maximumInterval: 500 });
    expect(retryOf({ backoff: 1 })).toEqual({ ...limits.transientRetry, backoff: 1 });
  });
});

describe('a value written twice or in two ways', () => {
  test('is one deliverable, one dependency, one variable', () => {
    const deliverables = ['./a', 'a', 'b//c/', 'b/./c', 'd/../e', 'ä b.md'];
    expect(completeSubtask({ deliverables }).deliverables).toEqual(['a', 'b/c', 'e', 'ä b.md']);
    const executor = { kind: 'command', run: ['sh', ''], env: ['A', 'A'] };
    expect(completeSubtask({ executor }).executor).toMatchObject({ run: ['sh', ''], env: ['A'] });
    const subtasks = [{ id: 'a' }, { id: 'b', dependsOn: ['a', 'a'] }];
    expect(complete({ subtasks }).subtasks[1]?.dependsOn).toEqual(['a']);
  });

  test('is the same id in both normal forms of Unicode, in every script', () => {
    const subtasks = [{ id: 'caf\u00e9' }, { id: 'हिन्दी.2_x-é', dependsOn: ['cafe\u0301'] }];
    expect(complete({ subtasks }).subtasks[1]?.dependsOn).toEqual(['caf\u00e9']);
  });
});
