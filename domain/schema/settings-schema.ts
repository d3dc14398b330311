import * as z from 'zod';
import type { RemediationPolicy } from '../types/basic/remediation.ts';
import { planLimits } from '../input/limits.ts';
import { duration, map, numberBetween, offAsFalse, buildEnum, formatChoice, wholeNumber } from '../input/values.ts';

/* Settings that a plan and the config share: one definition of each. */

const contractChecks = ['off', 'warn', 'enforce'] as const;

export const contractCheckSchema = z.union([z.enum(contractChecks), offAsFalse], {
  error: formatChoice(contractChecks),
});

export const toolFailuresSchema = z.union([z.enum(contractChecks), offAsFalse], {
  error: formatChoice(contractChecks),
});

const approvalModes = ['off', 'auto', 'manual', 'threshold'] as const;

export const approvalSchema = map(
  {
    /**
     * `off` never asks, `manual` always does, `threshold` below the confidence `at`, `auto` in four bands of confidence.
     *
     * @see `docs/judges.md`
     */
    mode: z.union([z.enum(approvalModes), offAsFalse], { error: formatChoice(approvalModes) }),
    /**
     * Confidence at which `threshold` proceeds without a person, 0 to 1.
     *
     * @defaultValue 0.8
     */
    at: numberBetween(0, 1).exactOptional(),
    /**
     * Effect of a deadline that nobody met: `wait`, `proceed`, `deny`, `skip`.
     *
     * @defaultValue `wait`
     */
    onTimeout: buildEnum(['wait', 'proceed', 'deny', 'skip']).exactOptional(),
    /**
     * Time that a person has for the answer.
     *
     * @defaultValue none
     */
    timeout: duration(planLimits.duration).exactOptional(),
  },
  'a map such as `{ mode: threshold, at: 0.7 }`',
);

export const approvalChoiceSchema = z.union([z.enum(approvalModes), offAsFalse, approvalSchema], {
  error: `${formatChoice(approvalModes)}, or a map such as \`{ mode: threshold, at: 0.7 }\``,
});

const policies = ['block', 'confirm-or-prune-then-queue', 'queue-follow-up'] as const satisfies RemediationPolicy[];

/** The next step for a result that misses nothing but evidence, once its ladder is spent. */
export const remediationSchema = map(
  {
    /**
     * `block` asks a person; `confirm-or-prune-then-queue` tries to confirm or remove the claims first; `queue-follow-up` lets the
     * others go on and looks for the evidence beside them.
     *
     * @defaultValue `block`
     * @see `docs/recovery.md#owed-evidence`
     */
    policy: buildEnum(policies).exactOptional(),
  },
  'a map such as `{ policy: queue-follow-up }`',
);

/** Settings for the plan of a goal, and for a goal that could not be planned. */
export const planningSchema = map(
  {
    /**
     * A goal that no model could plan becomes one subtask at once, after a person agreed, or never.
     *
     * @defaultValue `allow`
     */
    degraded: buildEnum(['allow', 'require-approval', 'deny']).exactOptional(),
    /**
     * Requests to the planner that were answered.
     *
     * @defaultValue 3
     */
    tries: wholeNumber(1, planLimits.planTries).exactOptional(),
  },
  'a map such as `{ degraded: require-approval, tries: 3 }`',
);

export const budgetSchema = map(
  {
    /** Time since the start of the task, without its pauses; waits for people count. */
    wallClock: duration(planLimits.duration).exactOptional(),
    /** Cost of all model calls, in US dollars. */
    costUsd: numberBetween(0, Infinity).exactOptional(),
    /** Calls of models. */
    modelCalls: wholeNumber(0).exactOptional(),
    /** Tokens of all model calls, those of the input included. */
    tokens: wholeNumber(0).exactOptional(),
    /** Tool calls of agents. */
    toolCalls: wholeNumber(0).exactOptional(),
    /** Tool calls of agents that change something. */
    mutations: wholeNumber(0).exactOptional(),
    /**
     * New plans. Above this limit none is made.
     *
     * @defaultValue 3
     */
    replans: wholeNumber(0).exactOptional(),
    /**
     * Tries to find evidence that is owed. Above this limit none is made.
     *
     * @see `docs/recovery.md#owed-evidence`
     */
    remediations: wholeNumber(0).exactOptional(),
    /**
     * At a limit, `ask` asks a person; `stop` ends the task with `BUDGET_EXHAUSTED`.
     *
     * @defaultValue `ask`
     */
    onExhausted: buildEnum(['ask', 'stop']).exactOptional(),
  },
  'a map such as `{ wallClock: 30m, costUsd: 2.50 }`',
);
