/* Definitions in pages: bounded, whole, in the order of the plan. */
import { describe, expect, test } from 'vitest';
import type { PlanPageContent } from '../../../domain/types/plan.ts';
import type { Subtask } from '../../../domain/types/subtask.ts';
import { completePlan } from '../../../domain/plan/complete-plan.ts';
import { pageDefinitions } from '../../../domain/plan/plan-pages.ts';
import { planLimits } from '../../../domain/input/limits.ts';
import { accepted } from './plan-sample.ts';

function definitions(count: number, description: (index: number) => string): Subtask[] {
  const subtasks = Array.from({ length: count }, (_, index) => ({ id: `s${index}`, description: description(index) }));
  return completePlan(accepted({ goal: 'g', executor: { kind: 'command', run: ['sh'] }, subtasks })).subtasks;
}

const contentOf = (text: string): PlanPageContent => JSON.parse(text) as PlanPageContent;

describe('the pages of a plan', () => {
  test('hold every definition once, in order, within the limit', () => {
    const whole = definitions(700, (index) => 'é'.repeat(index + 1));
    const { pages, bytes } = pageDefinitions('the goal', whole);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flatMap(({ text }) => contentOf(text).subtasks)).toEqual(whole);
    for (const { from, count, text } of pages) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(planLimits.planPageBytes);
      expect(contentOf(text)).toMatchObject({ goal: 'the goal', subtasks: whole.slice(from, from + count) });
    }
    expect(bytes).toBeGreaterThan(planLimits.planPageBytes * 2);
  });

  test('give a subtask that is larger than a page one for itself', () => {
    const long = 'x'.repeat(planLimits.planPageBytes);
    const { pages } = pageDefinitions(
      'g',
      definitions(3, (index) => (index === 1 ? long : 'short')),
    );
    expect(pages.map(({ from, count }) => [from, count])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
  });

  test('are not written when a default makes all of them together too large', () => {
    const [first] = definitions(1, () => 'd');
    if (first === undefined) throw new Error('no subtask');
    const long: Subtask = { ...first, persona: 'p'.repeat(1_000_000) };
    const { pages, bytes } = pageDefinitions(
      'g',
      Array.from({ length: 2_000 }, (_, index) => ({ ...long, id: `s${index}` })),
    );
    expect(pages).toEqual([]);
    expect(bytes).toBeGreaterThan(planLimits.definitionBytes);
  });
});
