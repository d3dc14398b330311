import type { Config, ConfigName } from '../schema/config-schema.ts';
import { HeddleError } from '../errors/heddle-error.ts';
import { completeEvidence, completeLedger } from '../evidence/complete-evidence.ts';
import { limits } from '../limits/domain-limits.ts';
import { planLimits } from '../input/limits.ts';
import { splitChecks } from '../checks/named-checks.ts';
import type { ExecutorChoice } from '../executors/executor-schema.ts';
import { completeExecutor, type PlannedExecutor } from '../executors/kinds.ts';
import type { PlannedRetry, PlannedRung } from '../schema/ladder-schema.ts';
import type { CheckedPlan, PlannedSubtask } from '../schema/plan-schema.ts';
import { mergeRecovery } from '../failure/recovery-strategies.ts';
import type { PlanningRules } from '../types/planner.ts';
import type { RemediationPolicy } from '../types/basic/remediation.ts';
import type { Reuse } from '../types/reuse.ts';
import type { TaskSettings } from '../types/task-settings.ts';
import type { ApprovalPolicy, Executor, RetryPolicy, Rung, Subtask, Tier, Voting } from '../types/subtask.ts';
import type { TaskLimits } from '../limits/task-limits.ts';

/** The part of a task that its plan determines. `prepareTask` decides where it runs. */
export interface PlanParts extends Omit<
  TaskSettings,
  | 'id'
  | 'workspace'
  | 'host'
  | 'hostQueue'
  | 'project'
  | 'searchAttributes'
  | 'memory'
  | 'planning'
  | 'brief'
  | 'planner'
> {
  project?: string;
  workspace?: string;
  host?: string;
  shareWorkspace: boolean;
  /** Rules for planning a goal without subtasks. */
  planning: PlanningRules;
  subtasks: Subtask[];
  reuse?: Reuse;
}

/** Keys of the config that become defaults of plans as they are: a new one is its name here. */
export const passedOnKeys = [
  'project',
  'planApproval',
  'maxParallelSubtasks',
  'maxAttempts',
  'escalationPause',
  'contractCheck',
  'verifyTimeout',
  'budget',
  'recovery',
  'executor',
  'roles',
] as const satisfies readonly ConfigName[];

type ToolFailurePolicy = NonNullable<PlannedSubtask['toolFailures']>;

/** Defaults for keys that a plan does not set. */
export interface PlanDefaults extends Pick<Config, (typeof passedOnKeys)[number]> {
  approval: ApprovalPolicy;
  maxParallelSubtasks: number;
  escalationPause: number;
  ladder: Rung[];
  retry: RetryPolicy;
  tier: Tier;
  timeout: number;
  maxAttempts: number;
  contractCheck: Subtask['contractCheck'];
  verification: Tier;
  voting: Voting;
  toolFailures: ToolFailurePolicy;
  remediation: { policy: RemediationPolicy };
  planning: PlanningRules;
  /** The following are set only by a config. */
  limits?: Partial<TaskLimits>;
  executors?: Readonly<Record<string, PlannedExecutor>>;
}

const rung = (given: Partial<Rung>): Rung => ({
  tier: 'assigned',
  feedback: false,
  thinking: false,
  person: false,
  retry: limits.transientRetry,
  ...given,
});

/** The assigned tier; again with feedback; the next tier; the highest with extended thinking and more output; a person. */
const defaultLadder: Rung[] = [
  rung({}),
  rung({ feedback: true }),
  rung({ tier: 'next' }),
  rung({ tier: 'highest', thinking: true, output: 2 }),
  rung({ tier: 'highest', person: true }),
];

export const planDefaults: PlanDefaults = {
  approval: { mode: 'off', at: planLimits.approvalAt, onTimeout: 'wait' },
  maxParallelSubtasks: limits.maxParallelSubtasks,
  escalationPause: limits.escalationPause,
  ladder: defaultLadder,
  retry: limits.transientRetry,
  tier: 1,
  timeout: limits.commandTimeout,
  maxAttempts: limits.maxAttempts,
  contractCheck: 'warn',
  verification: 1,
  toolFailures: 'warn',
  remediation: { policy: 'block' },
  voting: { voters: limits.judge.voters, rule: 'veto' },
  planning: { degraded: 'allow', tries: limits.planner.tries },
};

/** Fills in the keys that a checked plan leaves open. */
export function completePlan(plan: CheckedPlan, defaults: PlanDefaults = planDefaults): PlanParts {
  const { onExhausted, ...budget } = { ...defaults.budget, ...plan.budget };
  return {
    goal: plan.goal,
    ...optional('project', plan.project ?? defaults.project),
    ...(plan.workspace === undefined ? {} : { workspace: plan.workspace }),
    ...(plan.host === undefined ? {} : { host: plan.host }),
    shareWorkspace: plan.shareWorkspace ?? false,
    approval: completeApproval(plan.approval, defaults.approval),
    planApproval: plan.planApproval ?? defaults.planApproval ?? false,
    ...(plan.allowUnchecked === true ? { allowUnchecked: true } : {}),
    ...optional('ledger', completeLedger(plan)),
    planning: { ...defaults.planning, ...plan.planning },
    maxParallelSubtasks: plan.maxParallelSubtasks ?? defaults.maxParallelSubtasks,
    escalationPause: plan.escalationPause ?? defaults.escalationPause,
    budget,
    ...(onExhausted === 'stop' ? { onExhausted } : {}),
    ...optional('verifyTimeout', defaults.verifyTimeout),
    ...optional('limits', defaults.limits),
    ...(plan.reuse === undefined ? {} : { reuse: plan.reuse }),
    ladder: plan.ladder?.map((given) => completeRung(given, defaults)) ?? defaults.ladder,
    subtasks: plan.subtasks.map((subtask) => completeSubtask(subtask, plan, defaults)),
  };
}

/** An undefined value leaves its key out, because plans travel as JSON and are compared. */
function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  const entry: Partial<Record<K, V>> = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}

export function completeApproval(given: CheckedPlan['approval'], defaults: ApprovalPolicy): ApprovalPolicy {
  if (given === undefined) return defaults;
  return { ...defaults, ...(typeof given === 'string' ? { mode: given } : given) };
}

export function completeRung(given: PlannedRung, defaults: PlanDefaults): Rung {
  const person = given.person === true;
  return rung({
    tier: given.tier ?? (person ? 'highest' : 'assigned'),
    feedback: given.feedback ?? false,
    thinking: given.thinking ?? false,
    person,
    retry: completeRetry(given.retry ?? {}, defaults.retry),
    ...(given.restore === true ? { restore: true } : {}),
    ...optional('timeout', given.timeout),
    ...optional('output', given.output),
  });
}

/** A default must not produce a policy that Temporal refuses, so it is raised to the given interval. */
export function completeRetry(given: PlannedRetry, defaults: RetryPolicy): RetryPolicy {
  const { initialInterval, maximumInterval } = given;
  return {
    initialInterval: initialInterval ?? Math.min(defaults.initialInterval, maximumInterval ?? Infinity),
    maximumInterval: maximumInterval ?? Math.max(defaults.maximumInterval, initialInterval ?? 0),
    backoff: given.backoff ?? defaults.backoff,
    maximumAttempts: given.maximumAttempts ?? defaults.maximumAttempts,
  };
}

function completeSubtask(subtask: PlannedSubtask, plan: CheckedPlan, defaults: PlanDefaults): Subtask {
  const ladder = subtask.ladder?.map((given) => completeRung(given, defaults));
  const role = subtask.role === undefined ? undefined : own(defaults.roles, subtask.role);
  const executor = subtask.executor ?? role?.executor ?? plan.executor ?? defaults.executor;
  return {
    id: subtask.id,
    description: subtask.description ?? subtask.id,
    dependsOn: unique(subtask.dependsOn),
    tier: subtask.tier ?? role?.tier ?? defaults.tier,
    executor: resolveSubtaskExecutor(executor, subtask.id, defaults),
    deliverables: unique(subtask.deliverables),
    ...splitChecks(subtask.verify ?? []),
    ...((subtask.verifyOutside ?? plan.verifyOutside) === true ? { verifyOutside: true } : {}),
    criteria: subtask.criteria ?? [],
    requiredSections: unique(subtask.requiredSections),
    rules: (subtask.rules ?? []).map((rule) => ({ in: [], must: 'absent', severity: 'hard', ...rule })),
    ...optional('evidence', completeEvidence(subtask, plan)),
    diff: subtask.diff ?? false,
    contractCheck: subtask.contractCheck ?? defaults.contractCheck,
    ...resolveToolFailures(subtask.toolFailures ?? plan.toolFailures ?? defaults.toolFailures),
    ...optional('role', subtask.role),
    ...optional('persona', role?.persona),
    ...(subtask.isolation === 'worktree' ? { isolation: 'worktree' } : {}),
    allowPartial: subtask.allowPartial ?? false,
    ...resolveVerification(subtask, plan, defaults),
    maxAttempts: subtask.maxAttempts ?? defaults.maxAttempts,
    critical: subtask.critical ?? false,
    ...resolveRemediation(subtask.remediation?.policy ?? plan.remediation?.policy ?? defaults.remediation.policy),
    ...optional('phase', subtask.phase),
    ...optional('advice', subtask.advice),
    synthesis: subtask.synthesis ?? false,
    ...(ladder === undefined ? {} : { ladder }),
    recovery: mergeRecovery([defaults.recovery, plan.recovery, role?.recovery, subtask.recovery]),
  };
}

/** The default is no key, so that plans that say nothing about it stay as they are. */
const resolveToolFailures = (policy: ToolFailurePolicy): Pick<Subtask, 'toolFailures'> =>
  policy === 'warn' ? {} : { toolFailures: policy };

const resolveRemediation = (policy: RemediationPolicy): Pick<Subtask, 'remediation'> =>
  policy === 'block' ? {} : { remediation: policy };

/** A plan without judges has no such keys. */
function resolveVerification(
  subtask: PlannedSubtask,
  plan: CheckedPlan,
  defaults: PlanDefaults,
): Pick<Subtask, 'verification' | 'voting'> {
  const verification = subtask.verification ?? plan.verification ?? defaults.verification;
  if (verification === 1) return {};
  if (verification === 2) return { verification };
  return { verification, voting: { ...defaults.voting, ...plan.voting, ...subtask.voting } };
}

const own = <T>(entries: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  entries !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined;

const unique = (items: readonly string[] = []): string[] => [...new Set(items)];

function resolveSubtaskExecutor(choice: ExecutorChoice | undefined, subtask: string, defaults: PlanDefaults): Executor {
  const given = typeof choice === 'string' ? own(defaults.executors, choice) : choice;
  if (given !== undefined) return completeExecutor(given, defaults);
  // `parsePlan` refuses such a plan; this guards callers that built one without it.
  throw new HeddleError({
    code: 'PLAN_WRONG_TYPE',
    message:
      typeof choice === 'string'
        ? `There is no executor ${choice} for the subtask ${subtask}.`
        : `No executor is set for the subtask ${subtask}.`,
    hint: 'Set `executor` in the subtask, or in the plan for all subtasks.',
  });
}
