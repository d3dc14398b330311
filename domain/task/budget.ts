import { parseDuration, sayDuration } from '../text/duration.ts';
import { limits } from '../limits.ts';
import type { BudgetKey, BudgetLimits, BudgetUse } from '../model/budget.ts';
import type { TaskState } from './state.ts';

/** A warning is given once, at this share of a limit. */
const warnAt = 0.8;

const names: Record<BudgetKey, string> = {
  wallClock: 'time',
  costUsd: 'cost',
  modelCalls: 'model calls',
  tokens: 'tokens',
  toolCalls: 'tool calls',
  mutations: 'changes by tools',
  replans: 'new plans',
  remediations: 'repairs',
};

export const sayBudget = (key: BudgetKey): string => names[key];

/** An amount as people read it. */
export function sayAmount(key: BudgetKey, amount: number): string {
  if (key === 'wallClock') return sayDuration(amount);
  return key === 'costUsd' ? `${amount.toFixed(2)} USD` : String(amount);
}

/** A billionth: what adding up fractions of a dollar invents is below it. */
const grain = 1e9;

/** What is left of a limit; never a tail that nobody could spend. */
export const leftOf = (limit: number, used: number): number => Math.round((limit - used) * grain) / grain;

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
    if (leftOf(limit, use) <= 0) findings.push({ key, used: use, limit, level: 'exhausted' });
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
export const replansLeft = ({ budget, used }: Pick<TaskState, 'budget' | 'used'>): number =>
  (budget.replans ?? limits.replans) - (used.replans ?? 0);

/** Whether another plan can be asked for: there is a planner, and the task has not had all its plans. */
export const mayReplan = (state: TaskState): boolean => state.setting?.planner !== undefined && replansLeft(state) > 0;
