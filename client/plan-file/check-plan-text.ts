import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { PlanText } from '../../domain/input/plan-source.ts';
import type { PlanProblem } from '../../domain/input/problem.ts';
import { readPlanText, type LoadTextOptions } from './load-plan-text.ts';

/** All that is wrong with a plan, and its graph as far as it can be read. */
export interface CheckedText {
  ok: boolean;
  problems: readonly PlanProblem[];
  subtasks: { id: string; dependsOn: string[] }[];
}

/** Checks a plan without starting anything. */
export async function checkPlanText(source: PlanText, options: LoadTextOptions): Promise<CheckedText> {
  try {
    const reading = await readPlanText(source, options);
    if ('loaded' in reading) return { ok: true, problems: [], subtasks: listGraph(reading.loaded.plan) };
    return { ok: false, problems: reading.problems, subtasks: listGraph(reading.value) };
  } catch (error) {
    // A text without a form, or larger than what is sent: one problem, without a place in the plan.
    if (!(error instanceof HeddleError) || !error.code.startsWith('PLAN_')) throw error;
    const all = error.problems.length === 0 ? [error.toJSON()] : error.problems;
    return { ok: false, problems: all.map((problem) => ({ ...problem, path: [] })), subtasks: [] };
  }
}

function listGraph(plan: unknown): CheckedText['subtasks'] {
  if (typeof plan !== 'object' || plan === null || !('subtasks' in plan) || !Array.isArray(plan.subtasks)) return [];
  return plan.subtasks.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('id' in entry) || typeof entry.id !== 'string') return [];
    const before: unknown[] = 'dependsOn' in entry && Array.isArray(entry.dependsOn) ? entry.dependsOn : [];
    return [{ id: entry.id, dependsOn: before.filter((id) => typeof id === 'string') }];
  });
}
