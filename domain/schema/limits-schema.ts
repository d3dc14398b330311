import type * as z from 'zod';
import type { TaskLimits } from '../limits/task-limits.ts';
import type { ContextRules } from '../types/basic/compaction-rules.ts';
import { planLimits } from '../input/limits.ts';
import { duration, environmentName, list, map, numberBetween, buildEnum, wholeNumber } from '../input/values.ts';

/* Settings of the config alone: limits of tasks, logs of processes, and values that need no redaction. */

const { duration: year, timeout } = planLimits;

/** Waits for the environment: the n-th takes `first` x `factor`^(n-1), at most `most`, and there are `times` of them. */
export const environmentWaitSchema = map(
  {
    first: duration(timeout).exactOptional(),
    factor: numberBetween(1, planLimits.timeoutFactor).exactOptional(),
    most: duration(timeout).exactOptional(),
    times: wholeNumber(0, planLimits.attempts).exactOptional(),
  },
  'a map such as `{ first: 5s, factor: 3, most: 5m, times: 5 }`',
);

/** Parts of a prompt, in characters: a smaller part would have no content. */
const room = (least: number) => wholeNumber(least, planLimits.promptRoom).exactOptional();

/** A share of the tokens that a request may have. */
const share = (least: number, most: number) => numberBetween(least, most).exactOptional();

const taskLimits = {
  triesPerTier: wholeNumber(1, planLimits.attempts).exactOptional(),
  attemptsPerAnswer: wholeNumber(1, planLimits.attempts).exactOptional(),
  timeoutGrowthCeiling: duration(timeout, { orNone: true }).exactOptional(),
  environmentWait: environmentWaitSchema.exactOptional(),
  cancelGrace: duration(timeout).exactOptional(),
  goalCostUsd: numberBetween(0, Infinity).exactOptional(),
  proceedAt: numberBetween(0, 1).exactOptional(),
  askAt: numberBetween(0, 1).exactOptional(),
  failBelow: numberBetween(0, 1).exactOptional(),
  confirmTries: wholeNumber(1, planLimits.attempts).exactOptional(),
  remediationTries: wholeNumber(1, planLimits.attempts).exactOptional(),
  remediationWait: duration(timeout).exactOptional(),
  remediationTtl: duration(year).exactOptional(),
  retryContext: room(5_000),
  dependencyResults: room(1_000),
  dependencyResult: room(200),
} satisfies Record<keyof TaskLimits, z.ZodType>;

const contextLimits = {
  contextSoft: share(0.1, 1),
  contextHard: share(0.1, planLimits.contextHard),
  contextTarget: share(0.05, 1),
  contextFloor: share(0, 1),
  contextGain: share(0, 1),
  contextPause: wholeNumber(0, planLimits.iterations).exactOptional(),
  contextSummaries: wholeNumber(0, planLimits.iterations).exactOptional(),
};

export const limitsSchema = map({ ...taskLimits, ...contextLimits }, 'a table of limits');

/** The name of a key of `[limits]`. */
export type LimitName = keyof typeof limitsSchema.shape;

const contextModes = ['tiered', 'off'] as const satisfies readonly ContextRules['mode'][];

/** `[context]` sets if a long conversation is compacted. */
export const contextSchema = map({ mode: buildEnum(contextModes).exactOptional() }, 'a table with `mode`');

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
const logFormats = ['json', 'text'] as const;

export const loggingSchema = map(
  {
    level: buildEnum(logLevels).exactOptional(),
    format: buildEnum(logFormats).exactOptional(),
    retention: duration(year).exactOptional(),
    retryRetention: duration(year).exactOptional(),
  },
  'a table with `level`, `format`, `retention` or `retryRetention`',
);

export const redactSchema = map(
  { harmless: list(environmentName('harmless'), 'a list of names of environment variables').exactOptional() },
  'a table with `harmless`',
);
