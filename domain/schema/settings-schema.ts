import * as z from 'zod';
import type { BudgetKey } from '../types/basic/budget.ts';
import { planLimits } from '../input/limits.ts';
import { notCounted } from '../input/not-supported.ts';
import {
  duration,
  map,
  numberBetween,
  offAsFalse,
  buildEnum,
  addRefusal,
  formatChoice,
  wholeNumber,
} from '../input/values.ts';

/* Settings that a plan and the config share: one definition of each. */

const contractChecks = ['off', 'warn', 'enforce'] as const;

export const contractCheckSchema = z.union([z.enum(contractChecks), offAsFalse], {
  error: formatChoice(contractChecks),
});

const approvalModes = ['off', 'auto', 'manual', 'threshold'] as const;

export const approvalSchema = map(
  {
    mode: z.union([z.enum(approvalModes), offAsFalse], { error: formatChoice(approvalModes) }),
    at: numberBetween(0, 1).exactOptional(),
    onTimeout: buildEnum(['wait', 'proceed', 'deny', 'skip']).exactOptional(),
    timeout: duration(planLimits.duration).exactOptional(),
  },
  'a map such as `{ mode: threshold, at: 0.7 }`',
);

export const approvalChoiceSchema = z.union([z.enum(approvalModes), offAsFalse, approvalSchema], {
  error: `${formatChoice(approvalModes)}, or a map such as \`{ mode: threshold, at: 0.7 }\``,
});

/** Settings for the plan of a goal, and for a goal that could not be planned. */
export const planningSchema = map(
  {
    degraded: buildEnum(['allow', 'require-approval', 'deny']).exactOptional(),
    tries: wholeNumber(1, planLimits.planTries).exactOptional(),
  },
  'a map such as `{ degraded: require-approval, tries: 3 }`',
);

const notYet = (key: BudgetKey) =>
  wholeNumber(0)
    .check((context) => {
      addRefusal(context, context.value, notCounted(key));
    })
    .exactOptional();

export const budgetSchema = map(
  {
    wallClock: duration(planLimits.duration).exactOptional(),
    costUsd: numberBetween(0, Infinity).exactOptional(),
    modelCalls: wholeNumber(0).exactOptional(),
    tokens: wholeNumber(0).exactOptional(),
    toolCalls: wholeNumber(0).exactOptional(),
    mutations: wholeNumber(0).exactOptional(),
    replans: wholeNumber(0).exactOptional(),
    remediations: notYet('remediations'),
    onExhausted: buildEnum(['ask', 'stop']).exactOptional(),
  },
  'a map such as `{ wallClock: 30m, costUsd: 2.50 }`',
);
