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
    initialInterval: duration(planLimits.duration).exactOptional(),
    backoff: numberBetween(1, Infinity).exactOptional(),
    maximumInterval: duration(planLimits.duration).exactOptional(),
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
    tier: z.union([z.enum(['assigned', 'next', 'highest']), tier], { error: rungTierExpected }).exactOptional(),
    feedback: yesNo.exactOptional(),
    thinking: yesNo.exactOptional(),
    person: yesNo.exactOptional(),
    retry: retrySchema.exactOptional(),
    timeout: duration(planLimits.timeout).exactOptional(),
    output: numberBetween(1, planLimits.outputFactor).exactOptional(),
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
    tries: wholeNumber(1, planLimits.attempts).exactOptional(),
    wait: duration(planLimits.duration, { orNone: true }).exactOptional(),
    timeoutFactor: numberBetween(1, planLimits.timeoutFactor).exactOptional(),
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
