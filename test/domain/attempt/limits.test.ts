// Each key of [limits] changes what it says, and only for the task whose config said it.
import { describe, expect, test } from 'vitest';
import { noConfig, resolveConfig } from '../../../domain/config/layers.ts';
import { fileLayer } from '../../../domain/config/layer.ts';
import { planUnderConfig } from '../../../domain/config/plan-under-config.ts';
import { approvalStep } from '../../../domain/attempt/confidence.ts';
import { beginAttempt } from '../../../domain/attempt/begin-attempt.ts';
import { buildPromptContext } from '../../../domain/attempt/build-prompt-context.ts';
import type { TaskSettings } from '../../../domain/types/task-settings.ts';
import { parsePlan } from '../../../domain/plan/parse-plan.ts';
import { planDefaults } from '../../../domain/plan/complete-plan.ts';
import { buildPrompt } from '../../../domain/prompts/prompt.ts';
import { startable } from '../../../domain/schedule/schedule.ts';
import { recordOf, subtaskOf } from '../../../domain/task/read-state.ts';
import { escalationOf, failureOf, resultOf, stateOf, subtask, t0 } from '../support-task.ts';
import { Driver } from './support-driver.ts';

/** The settings of a task under this config. */
function limitsUnder(toml: string): TaskSettings['limits'] {
  const raw = { goal: 'g', subtasks: [{ id: 'a', executor: { kind: 'command', run: ['true'] } }] };
  const parsed = parsePlan(raw, 'later');
  if (!parsed.ok) throw new Error('the plan is not valid');
  const below = toml === '' ? [] : [fileLayer({ name: 'heddle.toml', text: toml })];
  return planUnderConfig(parsed.plan, raw, resolveConfig({ below, above: [] })).limits;
}

const drive = (toml: string): Driver => {
  const limits = limitsUnder(toml);
  return new Driver(stateOf([subtask('a')], limits === undefined ? {} : { limits }), t0);
};

/** Starts the subtask as soon as it may. */
function again(driver: Driver): void {
  driver.now += 24 * 60 * 60_000;
  expect(startable(driver.state, driver.now)).toEqual(['a']);
  driver.begin('a');
}

describe('[limits]', () => {
  test('leaves no trace in a task where nothing was said, or only the defaults were', () => {
    expect(limitsUnder('')).toBeUndefined();
    expect(limitsUnder('limits = { triesPerTier = 3, environmentWait = { first = "5s" } }')).toBeUndefined();
    expect(noConfig().values.limits).toMatchObject({ triesPerTier: 3, cancelGrace: 30_000 });
  });

  test('triesPerTier: failures of several kinds climb sooner', () => {
    const fails = (driver: Driver): (number | undefined)[] =>
      ['x', 'y', 'z'].map((signature, index) => {
        if (index === 0) driver.begin('a');
        else again(driver);
        const rung = recordOf(driver.state, 'a')?.rung;
        driver.fail('a', failureOf({ signature }));
        return rung;
      });
    expect(fails(drive(''))).toEqual([1, 2, 2]);
    expect(fails(drive('limits.triesPerTier = 1'))).toEqual([1, 3, 4]);
  });

  test('attemptsPerAnswer: what an answer adds', () => {
    const most = (toml: string): number => {
      const driver = drive(toml);
      const answer = { decisionId: 'a-1', option: 'retry' } as const;
      driver.record({ type: 'decision.opened', decision: escalationOf() });
      driver.record({ type: 'decision.answered', answer, source: 'person', updateId: null });
      driver.record({ type: 'subtask.retried', subtask: 'a', guidance: '' });
      return subtaskOf(driver.state, 'a').climb.maxAttempts;
    };
    expect([most(''), most('limits.attemptsPerAnswer = 1')]).toEqual([11, 9]);
  });

  test('timeoutGrowthCeiling: how far a time limit grows', () => {
    const limit = (toml: string): number => {
      const driver = drive(toml);
      driver.begin('a');
      driver.fail('a', failureOf({ type: 'timeout' }));
      return beginAttempt(driver, 'a').timeout;
    };
    expect([limit(''), limit('limits.timeoutGrowthCeiling = "5s"')]).toEqual([90_000, 65_000]);
    expect(limit('limits.timeoutGrowthCeiling = "0s"')).toBe(60_000);
  });

  test('environmentWait: how long and how often a sick environment is waited for', () => {
    const driver = drive('limits.environmentWait = { first = "2s", factor = 2, most = "3s", times = 2 }');
    const sick = failureOf({ type: 'environment', category: 'environment' });
    driver.begin('a');
    driver.fail('a', sick);
    again(driver);
    driver.fail('a', sick);
    expect(recordOf(driver.state, 'a')?.waits.map(({ ms }) => ms)).toEqual([2_000, 3_000]);
    again(driver);
    driver.fail('a', sick);
    expect(driver.state.decisions.open.map(({ kind }) => kind)).toEqual(['escalation']);
  });

  test('proceedAt and askAt: the bands of `approval: auto`', () => {
    const auto = { ...planDefaults.approval, mode: 'auto' as const };
    const steps = [0.9, 0.6, 0.4].map((score) =>
      approvalStep(auto, score, { proceedAt: 0.95, askAt: 0.5, failBelow: 0.2 }),
    );
    expect(steps).toEqual(['ask-then-proceed', 'ask-then-proceed', 'ask']);
    expect(limitsUnder('limits = { proceedAt = 0.95 }')).toEqual({ proceedAt: 0.95 });
  });

  test('retryContext, dependencyResults and dependencyResult: the room of a prompt', () => {
    const driver = drive('limits = { retryContext = 5000, dependencyResults = 1000, dependencyResult = 300 }');
    driver.begin('a');
    driver.fail('a', failureOf({ details: 'x '.repeat(700), signature: 'one' }));
    for (const signature of ['two', 'three', 'four', 'five', 'six']) {
      again(driver);
      driver.fail('a', failureOf({ details: 'x '.repeat(700), summary: 'y '.repeat(90), signature }));
    }
    const context = buildPromptContext(driver.state, 'a');
    expect(context.room).toEqual({ retryContext: 5_000, dependencyResults: 1_000, dependencyResult: 300 });
    const dependencies = [resultOf('b', { notes: 'n '.repeat(900) }), resultOf('c', { notes: 'n '.repeat(900) })];
    const parts = { goal: 'g', subtask: subtask('a'), attempt: 2, dependencies };
    const size = (text: string): number => /<dependency_results>.*<\/dependency_results>/s.exec(text)?.[0].length ?? 0;
    expect(size(buildPrompt({ ...parts, context }))).toBeLessThan(700);
    const retryBytes = (text: string): number => /<retry_context.*<\/retry_context>/s.exec(text)?.[0].length ?? 0;
    expect(retryBytes(buildPrompt({ ...parts, context }))).toBeLessThanOrEqual(5_000);
    const usual = { ...context, room: {} };
    expect(retryBytes(buildPrompt({ ...parts, context: usual }))).toBeGreaterThan(5_000);
    expect(size(buildPrompt({ ...parts, context: usual }))).toBeGreaterThan(1_500);
    expect(buildPromptContext(drive('').state, 'a')).not.toHaveProperty('room');
  });
});
