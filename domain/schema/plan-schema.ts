import * as z from 'zod';
import { configSchema } from './config-schema.ts';
import { planEvidenceSchema, subtaskEvidenceSchema } from './evidence-schema.ts';
import { planLimits } from '../input/limits.ts';
import { executorChoiceSchema } from '../executors/executor-schema.ts';
import { ladderSchema, recoverySchema } from './ladder-schema.ts';
import { fitsBytes } from '../text/text.ts';
import {
  approvalChoiceSchema,
  budgetSchema,
  contractCheckSchema,
  planningSchema,
  remediationSchema,
  toolFailuresSchema,
} from './settings-schema.ts';
import { checkListSchema, votingSchema } from './verification-schema.ts';
import {
  list,
  map,
  name,
  buildEnum,
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
    /** Regular expression that is searched for. */
    pattern: regularExpression,
    /**
     * Patterns of the files that are searched, such as `*.md`.
     *
     * @defaultValue the deliverables, else the output
     */
    in: list(workspaceGlob, 'a list of file patterns').exactOptional(),
    /**
     * `absent` where a match is wrong, `present` where a missing match is.
     *
     * @defaultValue `absent`
     */
    must: buildEnum(['absent', 'present']).exactOptional(),
    /**
     * `hard` fails the attempt; `advisory` only warns.
     *
     * @defaultValue `hard`
     */
    severity: buildEnum(['hard', 'advisory']).exactOptional(),
  },
  'a map such as `{ pattern: "TODO", must: absent }`',
);

export const subtaskSchema = map(
  {
    /** Name of the subtask: letters of any script, digits, `.`, `_`, `-`, at most 64. */
    id: subtaskId,
    /**
     * Task text of the prompt.
     *
     * @defaultValue the id
     */
    description: text().exactOptional(),
    /**
     * Ids of the subtasks that must be done first. It starts the moment the last of them is.
     *
     * @defaultValue `[]`
     */
    dependsOn: list(
      z.string({ error: 'the id of a subtask' }).normalize('NFC'),
      'a list of subtask ids',
    ).exactOptional(),
    /**
     * Model tier of the first attempt, 1 to 3.
     *
     * @defaultValue 1
     */
    tier: tier.exactOptional(),
    /**
     * Executor that does the work: a name, or one of its own.
     *
     * @defaultValue the plan's
     * @see `docs/plan-file.md#executors`
     */
    executor: executorChoiceSchema.exactOptional(),
    /**
     * Files that must exist inside the workspace, not empty and well-formed.
     *
     * @defaultValue `[]`
     */
    deliverables: list(workspacePath, 'a list of paths').exactOptional(),
    /**
     * Shell commands that must exit 0, 2 minutes each: the command, or `{ name, run }`.
     *
     * @defaultValue `[]`
     * @see `docs/plan-file.md#named-checks`
     */
    verify: checkListSchema.exactOptional(),
    /**
     * Its verify commands run beside your own programs, though an agent does the work.
     *
     * @defaultValue the plan's
     * @see `docs/sandbox.md#verify-commands`
     */
    verifyOutside: yesNo.exactOptional(),
    /**
     * 1: checks only; 2: a judge as well; 3: judges that vote.
     *
     * @defaultValue the plan's
     * @see `docs/judges.md`
     */
    verification: tier.exactOptional(),
    /**
     * How the judges of tier 3 decide: `{ voters, rule }`.
     *
     * @defaultValue the plan's
     * @see `docs/judges.md`
     */
    voting: votingSchema.exactOptional(),
    /**
     * Criteria of a good result, which the prompt and the judges are given.
     *
     * @defaultValue `[]`
     * @see `docs/judges.md`
     */
    criteria: list(text(), texts).exactOptional(),
    /**
     * Headings that must be in the text deliverables, else in the output.
     *
     * @defaultValue `[]`
     */
    requiredSections: list(text(), texts).exactOptional(),
    /**
     * Patterns that must or must not occur: `{ pattern, in, must: absent or present, severity: hard or advisory }`.
     *
     * @defaultValue `[]`
     */
    rules: list(ruleSchema, 'a list of rules').exactOptional(),
    /**
     * Evidence that the subtask owes: `{ targets, each, quotes, targetsFrom, citations, ledger }`.
     *
     * @defaultValue the plan's
     * @see `docs/evidence.md`
     */
    evidence: subtaskEvidenceSchema.exactOptional(),
    /**
     * The output is a unified diff that must apply.
     *
     * @defaultValue `false`
     */
    diff: yesNo.exactOptional(),
    /**
     * The completion contract must match the files that changed: `off`, `warn`, `enforce`.
     *
     * @defaultValue `warn`
     */
    contractCheck: contractCheckSchema.exactOptional(),
    /**
     * A tool call of an agent failed and nothing made up for it: `off`, `warn`, or `enforce`, which fails the attempt.
     *
     * @defaultValue the plan's
     * @see `docs/plan-file.md#failed-tool-calls`
     */
    toolFailures: toolFailuresSchema.exactOptional(),
    /**
     * Role that the prompt names. It adds what the config says about that role.
     *
     * @defaultValue none
     * @see `docs/configuration.md`
     */
    role: name('the name of a role').exactOptional(),
    /**
     * `worktree`: the subtask works in a copy of the workspace, merged after verification.
     *
     * @defaultValue `shared`
     * @see `docs/workspace.md`
     */
    isolation: buildEnum(['shared', 'worktree']).exactOptional(),
    /**
     * A `partial` result completes it, as partial-verified, or as unchecked where nothing checks it.
     *
     * @defaultValue `false`
     */
    allowPartial: yesNo.exactOptional(),
    /**
     * Attempts after which a person is asked.
     *
     * @defaultValue 8
     */
    maxAttempts: wholeNumber(1, planLimits.attempts).exactOptional(),
    /**
     * Its failure for good stops the whole task with `CRITICAL_FAILED`.
     *
     * @defaultValue `false`
     * @see `docs/recovery.md#critical-subtasks`
     */
    critical: yesNo.exactOptional(),
    /**
     * Next step for a result that misses nothing but evidence: `{ policy }`.
     *
     * @defaultValue the plan's
     * @see `docs/recovery.md#owed-evidence`
     */
    remediation: remediationSchema.exactOptional(),
    /**
     * A synthesis waits for all others and must be last.
     *
     * @defaultValue `false`
     */
    synthesis: yesNo.exactOptional(),
    /**
     * Rungs of this subtask alone.
     *
     * @defaultValue the plan's
     * @see `docs/plan-file.md#ladder`
     */
    ladder: ladderSchema.exactOptional(),
    /**
     * Recovery by failure type, for this subtask alone.
     *
     * @defaultValue the plan's
     * @see `docs/plan-file.md#failures-and-recovery`
     */
    recovery: recoverySchema.exactOptional(),
    /**
     * Phase of the process that the subtask belongs to. Heddle and the planner of a guided process write this key.
     *
     * @internal
     */
    phase: z.string({ error: 'the id of a phase' }).normalize('NFC').exactOptional(),
    /**
     * Sentences that a judge reports about and that fail nothing. A process writes this key.
     *
     * @internal
     */
    advice: list(text(), texts).exactOptional(),
  },
  'a map with `id` and what the subtask does',
);

const processExpected = 'the name of a process, or a map with `name` and `definition`';

/** A process by its name, or with its file as JSON. */
export const processChoiceSchema = z.union(
  [
    name('the name of a process'),
    map(
      {
        name: name('the name of a process'),
        definition: z.record(z.string(), z.unknown(), { error: 'the content of a process file as a map' }),
      },
      processExpected,
    ),
  ],
  { error: processExpected },
);

const inputsExpected = 'a map of inputs and their values';

const inputValuesSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()], { error: 'a string, a number, `true` or `false`' }),
  { error: inputsExpected },
);

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
        evidence: stored.exactOptional(),
      }),
      'a list of finished subtasks',
    ),
    evidence: list(z.object({ id: z.string(), page: stored }), 'a list of subtasks with evidence').exactOptional(),
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
    /** The workspace's folder, where the starter vouches for that besides the file. */
    folder: map(
      { path: text('the path of a folder'), sha256: hash },
      'a map with `path` and `sha256` of a trusted folder',
    ).exactOptional(),
  },
  'what `heddle run` writes',
);

export const planSchema = map(
  {
    /**
     * Purpose of the task. Every prompt ends with it. Only a plan with a `process` may leave it out.
     *
     * @defaultValue the goal of the process
     */
    goal: text()
      .refine((goal) => fitsBytes(goal, planLimits.goalBytes), { error: goalExpected })
      .exactOptional(),
    /**
     * Project whose tasks share a memory.
     *
     * @defaultValue folder name and a short hash of its path
     */
    project: name('the name of a project').exactOptional(),
    /**
     * Folder where programs run and deliverables are.
     *
     * @defaultValue the current folder; for other programs than `heddle`, that of the worker
     */
    workspace: text('the path of a folder').exactOptional(),
    /**
     * Shares the workspace with another task that is using it, as `heddle run --share-workspace`.
     *
     * @defaultValue `false`
     */
    shareWorkspace: yesNo.exactOptional(),
    /**
     * Worker host that has the workspace.
     *
     * @defaultValue where the plan is prepared
     */
    host: name('the name of a host').exactOptional(),
    /**
     * Process that the task follows: its name, or `{ name, definition }` with its file as JSON. Its phases take the place of `subtasks`.
     *
     * @defaultValue none
     * @see `docs/processes.md`
     */
    process: processChoiceSchema.exactOptional(),
    /**
     * Values of the inputs of the process.
     *
     * @defaultValue `{}`
     * @see `docs/processes.md#inputs`
     */
    inputs: inputValuesSchema.exactOptional(),
    /**
     * When a person is asked about finished subtasks: `auto`, `manual`, `threshold`, or `{ mode, at, onTimeout, timeout }`.
     *
     * @defaultValue `off`
     */
    approval: approvalChoiceSchema.exactOptional(),
    /**
     * Asks a person before anything runs.
     *
     * @defaultValue `false`
     * @see `docs/planning.md#approval-of-a-plan`
     */
    planApproval: yesNo.exactOptional(),
    /**
     * How a `goal` without `subtasks` is planned.
     *
     * @defaultValue `{ degraded: allow, tries: 3 }`
     * @see `docs/planning.md`
     */
    planning: planningSchema.exactOptional(),
    /**
     * 2: a model reviews results that passed their checks; 3: several vote.
     *
     * @defaultValue 1
     * @see `docs/judges.md`
     */
    verification: tier.exactOptional(),
    /**
     * How the votes decide: `veto` or `majority`.
     *
     * @defaultValue `{ voters: 3, rule: veto }`
     * @see `docs/judges.md`
     */
    voting: votingSchema.exactOptional(),
    /**
     * Effect of a failed tool call that an agent left behind: `off`, `warn`, `enforce`.
     *
     * @defaultValue `warn`
     * @see `docs/plan-file.md#failed-tool-calls`
     */
    toolFailures: toolFailuresSchema.exactOptional(),
    /**
     * Evidence that the task owes: the keys of a subtask's, and `phases` for the subtasks that they apply to.
     *
     * @defaultValue none
     * @see `docs/evidence.md`
     */
    evidence: planEvidenceSchema.exactOptional(),
    /**
     * Shell commands that check the result of the whole task, as `heddle run --verify`.
     *
     * @defaultValue none
     * @see `docs/planning.md#checks-of-the-whole-goal`
     */
    verify: checkListSchema.exactOptional(),
    /**
     * Asks nobody about unchecked results of a model's plan, as `heddle run --allow-unchecked`.
     *
     * @defaultValue `false`
     * @see `docs/planning.md#results-that-nothing-checked`
     */
    allowUnchecked: yesNo.exactOptional(),
    /**
     * Verify commands of agents' subtasks run beside your own programs, not in the sandbox.
     *
     * @defaultValue `false`
     * @see `docs/sandbox.md#verify-commands`
     */
    verifyOutside: yesNo.exactOptional(),
    /**
     * Subtasks that run at once.
     *
     * @defaultValue 5
     */
    maxParallelSubtasks: wholeNumber(1, planLimits.parallelSubtasks).exactOptional(),
    /**
     * Number of escalations that pause the task.
     *
     * @defaultValue 5
     */
    escalationPause: wholeNumber(1, planLimits.escalationPause).exactOptional(),
    /**
     * Limits of time, money and calls, at which a person is asked or the task ends.
     *
     * @defaultValue none
     * @see `docs/plan-file.md#budget`
     */
    budget: budgetSchema.exactOptional(),
    /**
     * Rungs that the attempts of a subtask climb after failures.
     *
     * @defaultValue five rungs
     * @see `docs/plan-file.md#ladder`
     */
    ladder: ladderSchema.exactOptional(),
    /**
     * Recovery by failure type, such as `{ timeout: { tries: 2 } }`.
     *
     * @defaultValue by failure type
     * @see `docs/plan-file.md#failures-and-recovery`
     */
    recovery: recoverySchema.exactOptional(),
    /**
     * Next step for results that miss nothing but evidence: `{ policy }`.
     *
     * @defaultValue `{ policy: block }`
     * @see `docs/recovery.md#owed-evidence`
     */
    remediation: remediationSchema.exactOptional(),
    /**
     * Executor of all subtasks that name none.
     *
     * @defaultValue the config's
     * @see `docs/plan-file.md#executors`
     */
    executor: executorChoiceSchema.exactOptional(),
    /**
     * Finished work of an earlier task. `heddle retry` writes this key.
     *
     * @internal
     */
    reuse: reuseSchema.exactOptional(),
    /**
     * The task ends when it has its plan. `heddle plan` writes this key.
     *
     * @internal
     */
    planOnly: yesNo.exactOptional(),
    /**
     * Settings of the command that starts the task. `heddle run` writes this key.
     *
     * @internal
     */
    config: starterConfigSchema.exactOptional(),
    /**
     * Parts of the work, at most 2,000. Without them, a model plans the goal.
     *
     * @defaultValue `[]`
     * @see `docs/planning.md`
     */
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
export type CheckedPlan = z.output<typeof planSchema> & { goal: string };
export type PlannedSubtask = CheckedPlan['subtasks'][number];
