import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { checkPlanSize } from '../../domain/plan/plan-size.ts';
import { planError } from '../../domain/input/problem.ts';
import { loadKnownNames, type LoadedPlan, type LoadTextOptions } from './load-plan-text.ts';

/** Several words that name no file are a goal. A single word, or the name of a plan file, is a file that is not there. */
export const isGoal = (given: string, cwd: string): boolean => /\s/.test(given.trim()) && !isFile(given, cwd);

/** A command that expects a goal takes a single word as one too. */
export const isFile = (given: string, cwd: string): boolean =>
  given === '-' || /\.(ya?ml|json)$/i.test(given.trim()) || existsSync(resolve(cwd, given));

/** A goal in words as a plan without subtasks: a model plans it, if the config has one for that. */
export async function loadGoal(goal: string, options: LoadTextOptions): Promise<LoadedPlan> {
  const raw = { goal: goal.trim(), workspace: resolve(options.cwd) };
  const parsed = parsePlan(raw, await loadKnownNames(raw, options));
  if (!parsed.ok) throw planError(parsed.problems, 'the goal');
  checkPlanSize(raw, 'the goal');
  return { raw, plan: parsed.plan };
}
