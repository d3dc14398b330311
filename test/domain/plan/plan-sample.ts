import type { PlanProblem } from '../../../domain/input/problem.ts';
import { parsePlan } from '../../../domain/plan/parse-plan.ts';
import type { CheckedPlan } from '../../../domain/schema/plan-schema.ts';

/** A plan with one subtask, changed by what a test is about. */
export function planWith(plan: Record<string, unknown> = {}, subtask: Record<string, unknown> = {}): unknown {
  const executor = { kind: 'command', run: ['sh'] };
  return { goal: 'g', executor, subtasks: [{ id: 'a', ...subtask }], ...plan };
}

export function accepted(value: unknown): CheckedPlan {
  const parsed = parsePlan(value);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ where, message }) => `${where ?? ''}: ${message}`).join('\n'));
  return parsed.plan;
}

export function problemsOf(value: unknown): PlanProblem[] {
  const parsed = parsePlan(value);
  return parsed.ok ? [] : parsed.problems;
}

export const codesOf = (value: unknown): string[] => problemsOf(value).map(({ code }) => code);
