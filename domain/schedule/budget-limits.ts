import { parseDuration } from '../text/duration.ts';
import { limits } from '../limits/domain-limits.ts';
import type { BudgetKey, BudgetLimits, BudgetUse } from '../types/basic/budget.ts';
import type { TaskState } from '../task/state.ts';

/** A warning is given once, at this share of a limit. */
const warnAt = 0.8;

/** A billionth: what adding up fractions of a dollar invents is below it. */
const grain = 1e9;

/** The rest of a limit; never a tail that nobody could spend. */
export const computeRemaining = (limit: number, used: number): number => Math.round((limit - used) * grain) / grain;

export interface BudgetFinding {
  key: BudgetKey;
  used: number;
  limit: number;
  level: 'warning' | 'exhausted';
}

/** Limits that are near or reached, in the order of the limits. */
export function checkBudget(limits: BudgetLimits, used: BudgetUse): BudgetFinding[] {
  const findings: BudgetFinding[] = [];
  for (const key of Object.keys(limits) as BudgetKey[]) {
    const limit = limits[key];
    const use = used[key] ?? 0;
    if (limit === undefined) continue;
    if (computeRemaining(limit, use) <= 0) findings.push({ key, used: use, limit, level: 'exhausted' });
    else if (use >= limit * warnAt) findings.push({ key, used: use, limit, level: 'warning' });
  }
  return findings;
}

/**
 * The new limit that an answer gives: twice the larger of limit and use when it gives none; undefined when what it gives would only
 * ask the same question again.
 */
export function raisedLimit(
  key: BudgetKey,
  { limit, used }: { limit: number; used: number },
  value: unknown,
): number | undefined {
  const most = Math.max(limit, used);
  const given = value ?? most * 2;
  const raised = typeof given === 'string' ? readLimit(key, given) : given;
  return typeof raised === 'number' && Number.isFinite(raised) && raised > most ? raised : undefined;
}

/** People type numbers in quotation marks, and time as a plan has it. */
function readLimit(key: BudgetKey, text: string): number | undefined {
  if (key === 'wallClock') return parseDuration(text);
  return /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

/** New plans that the task may still have. */
export const replansLeft = ({ budget }: Pick<TaskState, 'budget'>): number =>
  (budget.limits.replans ?? limits.replans) - (budget.used.replans ?? 0);

/** Tries to find owed evidence that the task may still have. */
export const remediationsLeft = ({ budget }: Pick<TaskState, 'budget'>): number =>
  (budget.limits.remediations ?? Infinity) - (budget.used.remediations ?? 0);

/** True when another plan can be asked for: there is a planner, and the task has not had all its plans. */
export const mayReplan = (state: TaskState): boolean =>
  state.plan.settings?.planner !== undefined && replansLeft(state) > 0;

/** Use so far, with the time that has passed; a task that stands still uses none. */
export function usedNow(state: TaskState, now: number): TaskState['budget']['used'] {
  const until = state.control.ended?.at ?? state.control.paused?.since ?? now;
  return { ...state.budget.used, wallClock: until - state.startedAt - state.control.pausedMs };
}
