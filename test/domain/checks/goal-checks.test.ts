/* Verify commands of the task's end, and what becomes of them in a plan. */
import { describe, expect, test } from 'vitest';
import { noConfig } from '../../../domain/config/layers.ts';
import { planUnderConfig } from '../../../domain/config/plan-under-config.ts';
import { parsePlan } from '../../../domain/plan/parse-plan.ts';
import type { PlanParts } from '../../../domain/plan/complete-plan.ts';

const executor = { kind: 'command', run: ['true'] };

function completed(raw: Record<string, unknown>): PlanParts {
  const parsed = parsePlan(raw);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return planUnderConfig(parsed.plan, raw, noConfig());
}

const plan = (subtasks: unknown[], more: Record<string, unknown> = {}) =>
  completed({ goal: 'g', executor, verify: ['npm test', 'npm test', 'npm run lint'], subtasks, ...more }).subtasks;

describe('verify commands of the whole goal', () => {
  test('become a last subtask that runs nothing else', () => {
    const subtasks = plan([{ id: 'a' }, { id: 'b' }]);
    expect(subtasks.map(({ id, verify }) => [id, verify])).toEqual([
      ['a', []],
      ['b', []],
      ['verify-goal', ['npm test', 'npm run lint']],
    ]);
    expect(subtasks[2]).toMatchObject({
      synthesis: true,
      goalCheck: true,
      executor: { run: ['echo', expect.any(String)] },
    });
  });

  test('are added to a synthesis, which keeps its own', () => {
    const subtasks = plan([{ id: 'a' }, { id: 's', synthesis: true, verify: ['npm test', 'test -f x'] }]);
    expect(subtasks.map(({ id, verify }) => [id, verify])).toEqual([
      ['a', []],
      ['s', ['npm test', 'test -f x', 'npm run lint']],
    ]);
  });

  test('keep their names', () => {
    const verify = [{ name: 'the tests pass', run: 'npm test' }, 'npm run lint'];
    const [, last] = plan([{ id: 'a' }], { verify });
    expect(last).toMatchObject({ verify: ['npm test', 'npm run lint'], checkNames: [verify[0]] });
  });

  test('get another id where a subtask is called verify-goal', () => {
    expect(plan([{ id: 'verify-goal' }]).map(({ id }) => id)).toEqual(['verify-goal', 'verify-goal-2']);
  });

  test('are not judged by a model', () => {
    const subtasks = plan([{ id: 'a' }], { verification: 2 });
    expect(subtasks.map(({ verification }) => verification)).toEqual([2, undefined]);
  });

  test('go to a person at once when they fail, where the ladder has one', () => {
    expect(plan([{ id: 'a' }])[1]?.ladder?.map(({ person }) => person)).toEqual([false, true]);
    const alone = plan([{ id: 'a' }], { ladder: [{ tier: 'assigned' }, { tier: 'next' }] });
    expect(alone[1]?.ladder?.map(({ person }) => person)).toEqual([false]);
  });

  test('change nothing where the plan has none', () => {
    expect(plan([{ id: 'a' }], { verify: [] })).toHaveLength(1);
  });
});
