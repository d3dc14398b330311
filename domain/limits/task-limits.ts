/** Room for parts of prompts, in characters. */
export const defaultPromptRoom = {
  /** The earlier failures of a subtask. */
  retryContext: 6_000,
  /** All results of dependencies, and one of them. */
  dependencyResults: 8_000,
  dependencyResult: 2_000,
};

/**
 * Limits that `[limits]` of the config may change for a task, with their defaults. Durations are milliseconds. A new one is its line here,
 * its schema in `domain/schema/limits-schema.ts` and its row in `domain/config/keys/limit-keys.ts`; without one of them nothing compiles.
 */
export const defaultTaskLimits = {
  ...defaultPromptRoom,
  /** Failed attempts at one tier and thinking before the ladder climbs whatever their signatures. */
  triesPerTier: 3,
  /** Attempts that a person's "retry" or "fix" adds. */
  attemptsPerAnswer: 3,
  /** The most that a time limit grows above the first after timeouts. */
  timeoutGrowthCeiling: 30 * 60_000,
  /** Waits for the environment: on a durable timer, not counted as attempts. */
  environmentWait: { first: 5_000, factor: 3, most: 5 * 60_000, times: 5 },
  /** Time that a cancelled task waits for its activities before it ends without them. */
  cancelGrace: 30_000,
  /** Confidence from which `approval: auto` proceeds, and from which it asks but proceeds without an answer. */
  proceedAt: 0.8,
  askAt: 0.5,
  /** Cost of a goal that sets no `budget.costUsd`, in USD, before a person is asked. */
  goalCostUsd: 5,
  /** Tries to confirm or remove a claim before its result is released, and tries beside the work after that. */
  confirmTries: 2,
  remediationTries: 3,
  /** The wait before the first of these, and the time after which an item expires. */
  remediationWait: 2_000,
  remediationTtl: 6 * 60 * 60_000,
  /** Confidence below which `approval: auto` takes a result as failed. */
  failBelow: 0.2,
};

export type PromptRoom = typeof defaultPromptRoom;
export type TaskLimits = typeof defaultTaskLimits;

/** Keeps only changed limits, so that a task carries no defaults. */
export function changedLimits(given: Partial<TaskLimits>): Partial<TaskLimits> {
  const same = (key: string): boolean =>
    JSON.stringify(Reflect.get(given, key)) === JSON.stringify(Reflect.get(defaultTaskLimits, key));
  return Object.fromEntries(Object.entries(given).filter(([key]) => !same(key)));
}
