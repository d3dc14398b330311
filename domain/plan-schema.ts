import * as z from 'zod';
import { limits } from './limits.ts';
import { executorSchema } from './plan-executor-schema.ts';
import { ladderSchema, recoverySchema } from './plan-ladder-schema.ts';
import { notSupported } from './plan-not-supported.ts';
import {
  duration,
  list,
  map,
  name,
  numberBetween,
  offAsFalse,
  oneOf,
  refuse,
  regularExpression,
  sayChoice,
  subtaskId,
  text,
  tier,
  wholeNumber,
  workspaceGlob,
  workspacePath,
  yesNo,
} from './plan-values.ts';

/* The plan as a person or a bare Temporal client sends it. Unknown keys are errors everywhere. */

const texts = 'a list of texts';

export const ruleSchema = map(
  {
    pattern: regularExpression,
    in: list(workspaceGlob, 'a list of file patterns').exactOptional(),
    must: oneOf(['absent', 'present']).exactOptional(),
    severity: oneOf(['hard', 'advisory']).exactOptional(),
  },
  'a map such as `{ pattern: "TODO", must: absent }`',
);

const contractChecks = ['off', 'warn', 'enforce'] as const;

export const subtaskSchema = map(
  {
    id: subtaskId,
    description: text().exactOptional(),
    dependsOn: list(
      z.string({ error: 'the id of a subtask' }).normalize('NFC'),
      'a list of subtask ids',
    ).exactOptional(),
    tier: tier.exactOptional(),
    executor: executorSchema.exactOptional(),
    deliverables: list(workspacePath, 'a list of paths').exactOptional(),
    verify: list(text('a shell command'), 'a list of shell commands').exactOptional(),
    verification: tier
      .check((context) => {
        if (context.value !== 1) refuse(context, context.value, notSupported('verification'));
      })
      .exactOptional(),
    criteria: list(text(), texts).exactOptional(),
    requiredSections: list(text(), texts).exactOptional(),
    rules: list(ruleSchema, 'a list of rules').exactOptional(),
    diff: yesNo.exactOptional(),
    contractCheck: z.union([z.enum(contractChecks), offAsFalse], { error: sayChoice(contractChecks) }).exactOptional(),
    role: name('the name of a role').exactOptional(),
    isolation: oneOf(['shared', 'worktree']).exactOptional(),
    allowPartial: yesNo.exactOptional(),
    maxAttempts: wholeNumber(1, limits.plan.attempts).exactOptional(),
    critical: yesNo.exactOptional(),
    synthesis: yesNo.exactOptional(),
    ladder: ladderSchema.exactOptional(),
    recovery: recoverySchema.exactOptional(),
  },
  'a map with `id` and what the subtask does',
);

const approvalModes = ['off', 'auto', 'manual', 'threshold'] as const;

export const approvalSchema = map(
  {
    mode: z.union([z.enum(approvalModes), offAsFalse], { error: sayChoice(approvalModes) }),
    at: numberBetween(0, 1).exactOptional(),
    onTimeout: oneOf(['wait', 'proceed', 'deny', 'skip']).exactOptional(),
    timeout: duration(limits.plan.duration).exactOptional(),
  },
  'a map such as `{ mode: threshold, at: 0.7 }`',
);

const count = wholeNumber(0).exactOptional();

export const budgetSchema = map(
  {
    wallClock: duration(limits.plan.duration).exactOptional(),
    costUsd: numberBetween(0, Infinity).exactOptional(),
    modelCalls: count,
    tokens: count,
    toolCalls: count,
    mutations: count,
    replans: count,
    remediations: count,
  },
  'a map such as `{ wallClock: 30m, costUsd: 2.50 }`',
);

const processNotYet = z.unknown().check((context) => {
  refuse(context, context.value, notSupported('process'));
});

const fileStamp = z.object({ path: z.string(), sha256: z.string().nullable() });

/** Written by `heddle retry`, not by people: what an earlier task completed. */
const reuseSchema = map(
  {
    task: text(),
    subtasks: list(
      z.object({
        id: z.string(),
        verdict: z.enum(['pass', 'pass-with-warnings', 'partial-verified']),
        result: z.object({
          id: z.string(),
          status: z.enum(['success', 'partial', 'skipped']),
          notes: z.string(),
          deliverables: z.array(z.string()),
          preview: z.string(),
          output: z.object({ sha256: z.string(), bytes: z.number() }).exactOptional(),
          files: z.array(fileStamp).exactOptional(),
        }),
      }),
      'a list of finished subtasks',
    ),
  },
  'what `heddle retry` writes',
);

export const planSchema = map(
  {
    goal: text(),
    project: name('the name of a project').exactOptional(),
    workspace: text('the path of a folder').exactOptional(),
    shareWorkspace: yesNo.exactOptional(),
    host: name('the name of a host').exactOptional(),
    process: processNotYet.exactOptional(),
    approval: z
      .union([z.enum(approvalModes), offAsFalse, approvalSchema], {
        error: `${sayChoice(approvalModes)}, or a map such as \`{ mode: threshold, at: 0.7 }\``,
      })
      .exactOptional(),
    planApproval: yesNo.exactOptional(),
    maxParallelSubtasks: wholeNumber(1, limits.plan.parallelSubtasks).exactOptional(),
    escalationPause: wholeNumber(1, limits.plan.escalationPause).exactOptional(),
    budget: budgetSchema.exactOptional(),
    ladder: ladderSchema.exactOptional(),
    recovery: recoverySchema.exactOptional(),
    executor: executorSchema.exactOptional(),
    reuse: reuseSchema.exactOptional(),
    subtasks: list(subtaskSchema, 'a list of subtasks').max(limits.maxSubtasks, {
      error: `a list of at most ${limits.maxSubtasks} subtasks`,
    }),
  },
  'a map with `goal` and `subtasks`',
);

/** What a starter sends: the plan file's content as JSON. */
export type PlanInput = z.input<typeof planSchema>;
/** A plan without problems: durations in milliseconds, ids and paths normalised, defaults not filled in. */
export type Plan = z.output<typeof planSchema>;
export type PlannedSubtask = Plan['subtasks'][number];
