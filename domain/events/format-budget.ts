import { formatUsd } from '../util/usd.ts';
import { formatDuration } from '../text/duration.ts';
import type { BudgetKey } from '../types/basic/budget.ts';

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

export const formatBudget = (key: BudgetKey): string => names[key];

/** An amount as people read it. */
export function formatAmount(key: BudgetKey, amount: number): string {
  if (key === 'wallClock') return formatDuration(amount);
  return key === 'costUsd' ? formatUsd(amount) : String(amount);
}
