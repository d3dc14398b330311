import * as z from 'zod';
import type { FailureType } from '../types/basic/failure-types.ts';
import { failureTypes } from '../types/basic/failure-types.ts';
import { planLimits } from '../input/limits.ts';
import {
  duration,
  addExpected,
  list,
  map,
  numberBetween,
  addRefusal,
  text,
  tier,
  wholeNumber,
  yesNo,
} from '../input/values.ts';

const retryExpected = 'a map such as `{ initialInterval: 1s, backoff: 2, maximumInterval: 1m, maximumAttempts: 6 }`';

/** Temporal's own rules: otherwise it would refuse the activity in the middle of a task. */
export const retrySchema = map(
  {
    /**
     * Wait before the first repetition.
     *
     * @defaultValue `1s`
     */
    initialInterval: duration(planLimits.duration).exactOptional(),
    /**
     * Factor of the wait from one repetition to the next.
     *
     * @defaultValue 2
     */
    backoff: numberBetween(1, Infinity).exactOptional(),
    /**
     * Longest wait.
     *
     * @defaultValue `1m`
     */
    maximumInterval: duration(planLimits.duration).exactOptional(),
    /**
     * Executions in all, the first included.
     *
     * @defaultValue 10
     */
    maximumAttempts: wholeNumber(1, planLimits.attempts).exactOptional(),
  },
  retryExpected,
).check((context) => {
  const { initialInterval, maximumInterval } = context.value;
  if (initialInterval === undefined || maximumInterval === undefined || maximumInterval >= initialInterval) return;
  addRefusal(context, context.value, {
    code: 'PLAN_WRONG_TYPE',
    message: '`maximumInterval` should not be shorter than `initialInterval`.',
    hint: 'Raise `maximumInterval` or lower `initialInterval`.',
  });
});

const rungTierExpected = '`assigned`, `next`, `highest`, 1, 2 or 3';
export const rungSchema = map(
  {
    /** Model tier of the rung: that of the subtask (`assigned`), the one above it (`next`), the `highest`, or a number. */
    tier: z.union([z.enum(['assigned', 'next', 'highest']), tier], { error: rungTierExpected }).exactOptional(),
    /**
     * The prompt tells what failed before.
     *
     * @defaultValue `false`
     */
    feedback: yesNo.exactOptional(),
    /**
     * The model thinks before it answers.
     *
     * @defaultValue `false`
     */
    thinking: yesNo.exactOptional(),
    /**
     * A person is asked. Such a rung is the last and has no other key.
     *
     * @defaultValue `false`
     */
    person: yesNo.exactOptional(),
    /** How a transient failure is repeated within the attempt: `{ initialInterval, backoff, maximumInterval, maximumAttempts }`. */
    retry: retrySchema.exactOptional(),
    /**
     * Time limit of an attempt on this rung.
     *
     * @defaultValue the executor's
     */
    timeout: duration(planLimits.timeout).exactOptional(),
    /**
     * Factor of the output tokens that a model of an agent may use, 1 to 10.
     *
     * @defaultValue 1
     */
    output: numberBetween(1, planLimits.outputFactor).exactOptional(),
    /**
     * Undoes the subtask's changes before an attempt on the rung, if they are certainly its own.
     *
     * @defaultValue `false`
     */
    restore: yesNo.exactOptional(),
  },
  'a map such as `{ tier: next }` or `{ person: true }`',
).check((context) => {
  const { person, ...rest } = context.value;
  if (person === true && Object.keys(rest).length > 0) addRefusal(context, context.value, personAndMore);
  if (person === true || rest.tier !== undefined) return;
  context.issues.push({ code: 'custom', input: undefined, path: ['tier'], message: rungTierExpected });
});

const personAndMore = {
  code: 'PLAN_WRONG_TYPE',
  message: 'A rung with `person: true` should have no other key.',
  hint: 'Split it into two rungs: one with `tier`, then `{ person: true }`.',
} as const;

const ladderExpected = 'a list of rungs';

export const ladderSchema = list(rungSchema, ladderExpected)
  .max(planLimits.rungs, { error: `a list of at most ${planLimits.rungs} rungs` })
  .check((context) => {
    const rungs = context.value;
    if (!rungs.some((rung) => rung.person !== true)) {
      addExpected(context, rungs, 'a list with at least one rung that is not a person, such as `{ tier: assigned }`');
    }
    for (const [index, rung] of rungs.entries()) {
      if (rung.person !== true || index === rungs.length - 1) continue;
      context.issues.push({
        code: 'custom',
        input: rung,
        path: [index],
        message: 'wrong place',
        params: { refusal: personNotLast },
      });
    }
  });

const personNotLast = {
  code: 'PLAN_WRONG_TYPE',
  message: 'The rung `{ person: true }` should be the last one of the ladder.',
  hint: 'Move it to the end: nothing comes after a person.',
} as const;

const emphasisExpected = `a string of at most ${planLimits.emphasis} characters`;

export const recoveryEntrySchema = map(
  {
    /**
     * Failed attempts at one tier before the ladder climbs.
     *
     * @defaultValue 3
     */
    tries: wholeNumber(1, planLimits.attempts).exactOptional(),
    /**
     * Wait before the next attempt; `0s` means none.
     *
     * @defaultValue 1.5 s after a timeout, 1.2 s after an empty output, else none
     */
    wait: duration(planLimits.duration, { orNone: true }).exactOptional(),
    /**
     * Factor of the time limit after each failure of this type, 1 to 10; at most 30 minutes more in all.
     *
     * @defaultValue 1.5 after a timeout, else 1
     */
    timeoutFactor: numberBetween(1, planLimits.timeoutFactor).exactOptional(),
    /**
     * Advice to the next attempt (`<suggested_fix>` in the prompt), at most 400 characters.
     *
     * @defaultValue by type
     */
    emphasis: text(emphasisExpected).max(planLimits.emphasis, { error: emphasisExpected }).exactOptional(),
  },
  'a map such as `{ tries: 2, wait: 10s }`',
);

const optionalEntry = recoveryEntrySchema.exactOptional();

/** One optional key for each failure type, so that an unknown type is an unknown key. */
const recoveryShape = Object.fromEntries(failureTypes.map((type) => [type, optionalEntry])) as Record<
  FailureType,
  typeof optionalEntry
>;

export const recoverySchema = map(recoveryShape, 'a map from failure types, such as `{ timeout: { tries: 2 } }`');

export type PlannedRung = z.output<typeof rungSchema>;
export type PlannedRetry = z.output<typeof retrySchema>;
