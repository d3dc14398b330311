import { limits } from './domain-limits.ts';

/** Room for parts of prompts, in characters. */
export interface PromptRoom {
  retryContext: number;
  dependencyResults: number;
  dependencyResult: number;
}

/** Limits that `[limits]` of the config may change for a task. Durations are milliseconds. */
export interface TaskLimits extends PromptRoom {
  triesPerTier: number;
  attemptsPerAnswer: number;
  timeoutGrowthCeiling: number;
  environmentWait: { first: number; factor: number; most: number; times: number };
  cancelGrace: number;
  proceedAt: number;
  askAt: number;
  failBelow: number;
}

export const defaultPromptRoom: PromptRoom = {
  retryContext: limits.retryContext,
  dependencyResults: limits.dependencyResults,
  dependencyResult: limits.dependencyResult,
};

export const defaultTaskLimits: TaskLimits = {
  ...defaultPromptRoom,
  triesPerTier: limits.triesPerTier,
  attemptsPerAnswer: limits.attemptsPerAnswer,
  timeoutGrowthCeiling: limits.timeoutGrowthCeiling,
  environmentWait: limits.environmentWait,
  cancelGrace: limits.cancelGrace,
  proceedAt: limits.proceedAt,
  askAt: limits.askAt,
  failBelow: limits.failBelow,
};

/** Keeps only changed limits, so that a task carries no defaults. */
export function changedLimits(given: Partial<TaskLimits>): Partial<TaskLimits> {
  const same = (key: string): boolean =>
    JSON.stringify(Reflect.get(given, key)) === JSON.stringify(Reflect.get(defaultTaskLimits, key));
  return Object.fromEntries(Object.entries(given).filter(([key]) => !same(key)));
}
