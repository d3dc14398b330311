export interface BudgetLimits {
  wallClock?: number;
  costUsd?: number;
  modelCalls?: number;
  tokens?: number;
  toolCalls?: number;
  mutations?: number;
  replans?: number;
  remediations?: number;
}

export type BudgetKey = keyof BudgetLimits;

export type BudgetUse = Partial<Record<BudgetKey, number>>;
