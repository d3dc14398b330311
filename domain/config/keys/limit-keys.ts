import { defaultTaskLimits } from '../../limits/task-limits.ts';
import { defaultContext } from '../../types/basic/compaction-rules.ts';
import type { LimitName } from '../../schema/limits-schema.ts';
import { writeDuration } from '../../text/duration.ts';
import type { ConfigKey } from './config-key.ts';

const { environmentWait, timeoutGrowthCeiling, cancelGrace, remediationWait, remediationTtl, ...numbers } =
  defaultTaskLimits;

const aboutContext =
  "Shares of an agent's request: where old turns are shortened, where they are also merged into a summary, the target of compaction, the floor that no optional step goes below, and the least gain of a step.";

const aboutPromptRoom =
  'Characters in a prompt for earlier failures, for all results of dependencies, and for one of them.';

const aboutProceeding =
  'Confidence from which `approval: auto` proceeds, and from which it asks but proceeds without an answer.';

/** Each limit with its description and default: a limit without a row does not compile. */
const limitRows = {
  triesPerTier: {
    about: 'Failed attempts at one tier and thinking before the ladder climbs, whatever the failures.',
    value: numbers.triesPerTier,
  },
  attemptsPerAnswer: {
    about: 'Attempts that a person\'s "retry" or "fix" adds.',
    value: numbers.attemptsPerAnswer,
  },
  timeoutGrowthCeiling: {
    about: 'How far a time limit may grow above the first after timeouts.',
    value: writeDuration(timeoutGrowthCeiling),
  },
  environmentWait: {
    about: 'Waits for the environment, such as a full disk or a missing network, before a person is asked.',
    value: {
      ...environmentWait,
      first: writeDuration(environmentWait.first),
      most: writeDuration(environmentWait.most),
    },
  },
  cancelGrace: {
    about: 'How long a cancelled task waits for running work before it ends without it.',
    value: writeDuration(cancelGrace),
  },
  goalCostUsd: {
    about:
      'Cost of a goal without `budget.costUsd`, in USD, at which you are asked. Models without a price are not counted.',
    value: numbers.goalCostUsd,
  },
  proceedAt: { about: aboutProceeding, value: numbers.proceedAt },
  askAt: { about: aboutProceeding, value: numbers.askAt },
  failBelow: {
    about: 'Confidence below which `approval: auto` takes a result as failed, and asks.',
    value: numbers.failBelow,
  },
  confirmTries: {
    about: 'Tries to confirm or remove claims without evidence before the result is released.',
    value: numbers.confirmTries,
  },
  remediationTries: { about: 'Tries to find owed evidence beside the other work.', value: numbers.remediationTries },
  remediationWait: {
    about: 'The wait before the first of these tries; it doubles with each, up to 30 s.',
    value: writeDuration(remediationWait),
  },
  remediationTtl: { about: 'How long evidence may be owed.', value: writeDuration(remediationTtl) },
  retryContext: { about: aboutPromptRoom, value: numbers.retryContext },
  dependencyResults: { about: aboutPromptRoom, value: numbers.dependencyResults },
  dependencyResult: { about: aboutPromptRoom, value: numbers.dependencyResult },
  contextSoft: { about: aboutContext, value: defaultContext.soft },
  contextHard: { about: aboutContext, value: defaultContext.hard },
  contextTarget: { about: aboutContext, value: defaultContext.target },
  contextFloor: { about: aboutContext, value: defaultContext.floor },
  contextGain: { about: aboutContext, value: defaultContext.gain },
  contextPause: {
    about: 'Turns between two compactions, unless old turns have to be merged.',
    value: defaultContext.pause,
  },
  contextSummaries: {
    about: 'Summaries by a model in one attempt; further summaries are lists of steps.',
    value: defaultContext.summaries,
  },
} satisfies Record<LimitName, Omit<ConfigKey, 'key'>>;

/** `[limits]` sets counts and waits of the rules, which a task keeps from its start. */
export const limitKeys: readonly ConfigKey[] = Object.entries(limitRows).map(([name, row]) => ({
  key: `limits.${name}`,
  ...row,
}));

/** `[context]` sets when a conversation is compacted. */
export const contextKeys = [
  {
    key: 'context.mode',
    about:
      "For a conversation that outgrows its model's window: tiered (old turns are compacted) or off (the attempt fails).",
    value: defaultContext.mode,
  },
] as const satisfies readonly ConfigKey[];

const day = 24 * 60 * 60_000;

/** Retention of log files: JSON lines, and the retry log for people. */
const retention = { retention: 30 * day, retryRetention: 7 * day };

/** The defaults of `[logging]`. */
export const defaultLogging = { level: 'info', format: 'json', ...retention } as const;

/** `[logging]` sets the log of the worker and the local service. */
export const loggingKeys = [
  {
    key: 'logging.level',
    about: 'Log of the worker and the local service: trace, debug, info, warn, error, silent. Not for `--config`.',
    value: defaultLogging.level,
  },
  {
    key: 'logging.format',
    about: 'JSON lines (json), or lines for people (text). Not for `--config`.',
    value: defaultLogging.format,
  },
  {
    key: 'logging.retention',
    about: 'How long logs are kept: JSON lines, and the retry log for people. Not for `--config`.',
    value: writeDuration(retention.retention),
  },
  {
    key: 'logging.retryRetention',
    about: 'How long logs are kept: JSON lines, and the retry log for people. Not for `--config`.',
    value: writeDuration(retention.retryRetention),
  },
] as const satisfies readonly ConfigKey[];
