import * as z from 'zod';
import { configSchema } from './config-schema.ts';
import { planLimits } from '../input/limits.ts';
import { executorChoiceSchema } from '../executors/executor-schema.ts';
import { ladderSchema, recoverySchema } from './ladder-schema.ts';
import { notSupported } from '../input/not-supported.ts';
import { fitsBytes } from '../text/text.ts';
import { approvalChoiceSchema, budgetSchema, contractCheckSchema, planningSchema } from './settings-schema.ts';
import { votingSchema } from './verification-schema.ts';
import {
  list,
  map,
  name,
  buildEnum,
  addRefusal,
  regularExpression,
  subtaskId,
  text,
  tier,
  wholeNumber,
  workspaceGlob,
  workspacePath,
  yesNo,
} from '../input/values.ts';

/* The plan as a person or a bare Temporal client sends it. Unknown keys are errors everywhere. */

const texts = 'a list of strings';

export const ruleSchema = map(
  {
    pattern: regularExpression,
    in: list(workspaceGlob, 'a list of file patterns').exactOptional(),
    must: buildEnum(['absent', 'present']).exactOptional(),
    severity: buildEnum(['hard', 'advisory']).exactOptional(),
  },
  'a map such as `{ pattern: "TODO", must: absent }`',
);

export const subtaskSchema = map(
  {
    id: subtaskId,
    description: text().exactOptional(),
    dependsOn: list(
      z.string({ error: 'the id of a subtask' }).normalize('NFC'),
      'a list of subtask ids',
    ).exactOptional(),
    tier: tier.exactOptional(),
    executor: executorChoiceSchema.exactOptional(),
    deliverables: list(workspacePath, 'a list of paths').exactOptional(),
    verify: list(text('a shell command'), 'a list of shell commands').exactOptional(),
    verifyOutside: yesNo.exactOptional(),
    verification: tier.exactOptional(),
    voting: votingSchema.exactOptional(),
    criteria: list(text(), texts).exactOptional(),
    requiredSections: list(text(), texts).exactOptional(),
    rules: list(ruleSchema, 'a list of rules').exactOptional(),
    diff: yesNo.exactOptional(),
    contractCheck: contractCheckSchema.exactOptional(),
    role: name('the name of a role').exactOptional(),
    isolation: buildEnum(['shared', 'worktree']).exactOptional(),
    allowPartial: yesNo.exactOptional(),
    maxAttempts: wholeNumber(1, planLimits.attempts).exactOptional(),
    critical: yesNo.exactOptional(),
    synthesis: yesNo.exactOptional(),
    ladder: ladderSchema.exactOptional(),
    recovery: recoverySchema.exactOptional(),
  },
  'a map with `id` and what the subtask does',
);

const processNotYet = z.unknown().check((context) => {
  addRefusal(context, context.value, notSupported('process'));
});

const hashExpected = 'a SHA-256 as 64 hexadecimal digits';

const goalExpected = `a string of at most ${planLimits.goalBytes / 1024} KiB`;

const hash = z.string({ error: hashExpected }).regex(/^[0-9a-f]{64}$/, { error: hashExpected });

const stored = z.object({ sha256: hash, bytes: wholeNumber(0) });

/** Results of an earlier task. `heddle retry` writes them, not people. */
const reuseSchema = map(
  {
    task: text(),
    earlier: list(z.string(), 'a list of tasks').exactOptional(),
    subtasks: list(
      z.object({
        id: z.string(),
        verdict: z.enum(['pass', 'pass-with-warnings', 'partial-verified', 'unchecked']),
        result: stored,
      }),
      'a list of finished subtasks',
    ),
    plan: stored.exactOptional(),
  },
  'what `heddle retry` writes',
);

/** Settings of the starter: its environment and flags, the models that it found, its user's file, and the project file that it vouches for. `heddle run` writes them. */
const starterConfigSchema = map(
  {
    environment: configSchema.exactOptional(),
    flags: configSchema.exactOptional(),
    /** Providers and models, with the names of their keys. */
    found: configSchema.exactOptional(),
    userFile: text('the path of a file').exactOptional(),
    trusted: map(
      { path: text('the path of a file'), sha256: hash },
      "a map with `path` and `sha256` of a project's heddle.toml",
    ).exactOptional(),
  },
  'what `heddle run` writes',
);

export const planSchema = map(
  {
    goal: text().refine((goal) => fitsBytes(goal, planLimits.goalBytes), { error: goalExpected }),
    project: name('the name of a project').exactOptional(),
    workspace: text('the path of a folder').exactOptional(),
    shareWorkspace: yesNo.exactOptional(),
    host: name('the name of a host').exactOptional(),
    process: processNotYet.exactOptional(),
    approval: approvalChoiceSchema.exactOptional(),
    planApproval: yesNo.exactOptional(),
    planning: planningSchema.exactOptional(),
    verification: tier.exactOptional(),
    voting: votingSchema.exactOptional(),
    /** Commands that check the result of all subtasks together. */
    verify: list(text('a shell command'), 'a list of shell commands').exactOptional(),
    /** For a plan that a model makes: unchecked results need no approval. */
    allowUnchecked: yesNo.exactOptional(),
    /** Verify commands of agents' subtasks do not run in the sandbox. */
    verifyOutside: yesNo.exactOptional(),
    maxParallelSubtasks: wholeNumber(1, planLimits.parallelSubtasks).exactOptional(),
    escalationPause: wholeNumber(1, planLimits.escalationPause).exactOptional(),
    budget: budgetSchema.exactOptional(),
    ladder: ladderSchema.exactOptional(),
    recovery: recoverySchema.exactOptional(),
    executor: executorChoiceSchema.exactOptional(),
    reuse: reuseSchema.exactOptional(),
    /** The task ends when it has its plan. `heddle plan` writes this key. */
    planOnly: yesNo.exactOptional(),
    config: starterConfigSchema.exactOptional(),
    /** Without subtasks, a model plans the goal. */
    subtasks: list(subtaskSchema, 'a list of subtasks')
      .max(planLimits.maxSubtasks, { error: `a list of at most ${planLimits.maxSubtasks} subtasks` })
      .default([]),
  },
  'a map with `goal` and `subtasks`',
);

/**
 * The input of a task: the content of a plan file as JSON. docs/plan-file.md explains every key.
 *
 * @example
 * ```ts
 * const plan: PlanInput = {
 *   goal: 'Publish the release notes',
 *   subtasks: [{ id: 'draft', description: 'Write NOTES.md', executor: { kind: 'command', run: ['./draft.sh'] }, deliverables: ['NOTES.md'] }],
 * };
 * ```
 */
export type PlanInput = z.input<typeof planSchema>;
/** A plan without problems: durations in milliseconds, ids and paths normalised, defaults not filled in. */
export type CheckedPlan = z.output<typeof planSchema>;
export type PlannedSubtask = CheckedPlan['subtasks'][number];
