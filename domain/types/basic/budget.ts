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

/** At a limit a person is asked, or the task fails with what is done. */
type OnExhausted = 'ask' | 'stop';

export type BudgetUse = Partial<Record<BudgetKey, number>>;
