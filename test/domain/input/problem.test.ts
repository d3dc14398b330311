/* The error that is made of a plan's problems. */
import { describe, expect, test } from 'vitest';
import { planLimits } from '../../../domain/input/limits.ts';
import { planError } from '../../../domain/input/problem.ts';
import { codesOf, planWith, problemsOf } from '../plan/plan-sample.ts';

describe('planError', () => {
  test('is the problem itself when there is one', () => {
    const error = planError(problemsOf(planWith({}, { tier: 4 })));
    expect(error.toJSON()).toEqual({
      code: 'PLAN_WRONG_TYPE',
      message: '`tier` should be 1, 2 or 3; found the number 4.',
      where: 'subtasks[0].tier',
      hint: 'Make it 1, 2 or 3.',
    });
  });

  test('is PLAN_INVALID with every problem when there are several', () => {
    const error = planError(problemsOf({ gaol: 'g', subtasks: [{ id: 'a', dependsOn: ['a'] }] }));
    expect(error).toMatchObject({ code: 'PLAN_INVALID', message: 'The plan has 3 problems.' });
    expect(error.problems.map(({ code, where }) => [code, where])).toEqual([
      ['PLAN_UNKNOWN_KEY', 'gaol'],
      ['PLAN_WRONG_TYPE', 'subtasks[0].executor'],
      ['PLAN_CYCLE', 'subtasks[0].dependsOn[0]'],
    ]);
    expect(Object.keys(error.problems[0]!)).toEqual(['code', 'message', 'where', 'hint']);
  });

  test('lists no more than a person can read', () => {
    const problems = problemsOf({ goal: 'g', subtasks: Array.from({ length: 2_000 }, () => ({})) });
    expect(problems).toHaveLength(planLimits.problems);
    expect(planError(problems).message).toBe('The plan has 1000 problems or more.');
  });
});

describe('a missing plan', () => {
  test('is empty', () => {
    expect([codesOf(undefined), codesOf(null)]).toEqual([['PLAN_EMPTY'], ['PLAN_EMPTY']]);
    expect(codesOf({})).toEqual(['PLAN_WRONG_TYPE', 'PLAN_EMPTY']);
  });
});
