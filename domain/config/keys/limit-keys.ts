import { defaultTaskLimits } from '../../limits/task-limits.ts';
import { defaultContext } from '../../types/basic/compaction-rules.ts';
import { writeDuration } from '../../text/duration.ts';
import type { ConfigKey } from './config-key.ts';

const { environmentWait, timeoutGrowthCeiling, cancelGrace, ...numbers } = defaultTaskLimits;

const aboutContext =
  "Shares of the tokens that an agent's request may have: where old parts are shortened, where they are merged into a summary too, below which folding stops, below which no step goes that can be spared, and what a step must save.";

/** `[limits]` sets counts and waits of the rules, which a task keeps from its start. */
export const limitKeys = [
  {
    key: 'limits.triesPerTier',
    about: 'Failed attempts at one tier and thinking before the ladder climbs whatever they were.',
    value: numbers.triesPerTier,
  },
  {
    key: 'limits.attemptsPerAnswer',
    about: 'What a person\'s "retry" or "fix" adds to the attempts.',
    value: numbers.attemptsPerAnswer,
  },
  {
    key: 'limits.timeoutGrowthCeiling',
    about: 'How far a time limit may grow above the first after timeouts.',
    value: writeDuration(timeoutGrowthCeiling),
  },
  {
    key: 'limits.environmentWait',
    about: 'Waits for a full disk, a network that is away and the like, before a person is asked.',
    value: {
      ...environmentWait,
      first: writeDuration(environmentWait.first),
      most: writeDuration(environmentWait.most),
    },
  },
  {
    key: 'limits.cancelGrace',
    about: 'How long a cancelled task waits for what runs before it ends without it.',
    value: writeDuration(cancelGrace),
  },
  {
    key: 'limits.proceedAt',
    about: 'Confidence from which `approval: auto` proceeds, and from which it asks but proceeds without an answer.',
    value: numbers.proceedAt,
  },
  {
    key: 'limits.askAt',
    about: 'Confidence from which `approval: auto` proceeds, and from which it asks but proceeds without an answer.',
    value: numbers.askAt,
  },
  {
    key: 'limits.failBelow',
    about: 'Confidence below which `approval: auto` takes a result as failed, and asks.',
    value: numbers.failBelow,
  },
  ...(['retryContext', 'dependencyResults', 'dependencyResult'] as const).map((key) => ({
    key: `limits.${key}`,
    about: 'Characters of a prompt: what went wrong so far, all results of dependencies, and one of them.',
    value: numbers[key],
  })),
  ...(['soft', 'hard', 'target', 'floor', 'gain'] as const).map((key) => ({
    key: `limits.context${key.slice(0, 1).toUpperCase()}${key.slice(1)}`,
    about: aboutContext,
    value: defaultContext[key],
  })),
  {
    key: 'limits.contextPause',
    about: 'Turns after a fold without another one, unless old parts have to be merged.',
    value: defaultContext.pause,
  },
  {
    key: 'limits.contextSummaries',
    about: 'Summaries that a model is asked for in one attempt; those above are lists of what was done.',
    value: defaultContext.summaries,
  },
] as const satisfies readonly ConfigKey[];

/** `[context]` sets when a conversation is compacted. */
export const contextKeys = [
  {
    key: 'context.mode',
    about:
      "What happens when an agent's conversation outgrows its model: tiered (old parts are folded) or off (it fails).",
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
