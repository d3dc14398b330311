import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  proxyActivities,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { buildLessonContext } from '../../domain/attempt/lesson-context.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { HostActivities } from '../../domain/types/activities.ts';
import type { BudgetLimits } from '../../domain/types/basic/budget.ts';
import type { Grant, GrantKey } from '../../domain/types/agent.ts';
import type { PackedPlan } from '../../domain/types/plan.ts';
import type {
  PlannerOutage,
  PlannerRefusal,
  PlanningRules,
  PlanPreview,
  PlanSource,
  PlanTaskInput,
  PlanTaskOutcome,
} from '../../domain/types/planner.ts';
import type { TaskSettings } from '../../domain/types/task-settings.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import { clip, oneLine } from '../../domain/text/text.ts';
import { planOptions } from './activity-options.ts';
import { explain } from '../shared/explain-failure.ts';
import type { TaskState } from '../../domain/task/state.ts';
import type { TaskRun } from './run/task-run.ts';

/** The plan of a goal, or why there is none. `unpaid`: the budget does not do for another try. */
export type PlannedGoal =
  | { kind: 'planned'; plan: PackedPlan; shown: PlanPreview }
  | { kind: 'not-made'; reasons: string[] }
  | { kind: 'refused'; refusal: PlannerRefusal }
  | { kind: 'unanswered'; outage: PlannerOutage }
  | { kind: 'unpaid'; key: GrantKey };

export interface Asking {
  /** A person may be asked before there is a plan. */
  mayAsk: boolean;
}

/** Asks a model for the plan. Without a usable plan the goal becomes one subtask, unless the task denies that. */
export async function planGoal(
  run: TaskRun,
  settings: TaskSettings,
  rules: PlanningRules,
  { mayAsk }: Asking,
): Promise<PlannedGoal> {
  const input = planInput(run, settings, { from: 'model' });
  const { planTask } = proxyActivities<HostActivities>(planOptions(settings, input.round));
  const outcome = await planTask({ ...input, tries: rules.tries }).catch((error: unknown) =>
    readLostPlanner(run.state, error),
  );
  run.record({ type: 'planner.used', used: outcome.used, models: outcome.models });
  // A planner that is stopped tells what it has spent, and nothing else.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('the task was cancelled');
  if (outcome.kind === 'planned') return { kind: 'planned', plan: outcome.plan, shown: outcome.shown };
  if (outcome.kind === 'replanned') throw new Error('there was no plan before');
  const [key] = outcome.lacks ?? [];
  if (key !== undefined && mayAsk) return { kind: 'unpaid', key };
  const { refusal, outage } = outcome;
  if (outage !== undefined) return { kind: 'unanswered', outage };
  if (refusal !== undefined && mayAsk) return { kind: 'refused', refusal };
  const reasons = outcome.problems.slice(0, mostReasons).map((reason) => clip(oneLine(reason), limits.summary));
  // Credentials that are refused are no reason for a worse plan.
  if (rules.degraded === 'deny' || refusal !== undefined) return { kind: 'not-made', reasons };
  const { isChecked = false, projectTest } = rules;
  const test = projectTest === undefined ? {} : { test: projectTest };
  const process = settings.process === undefined ? {} : { process: settings.process.name };
  run.record({ type: 'plan.degraded', reasons, checked: isChecked, ...test, ...process });
  run.publish();
  const whole = await planTask({ ...input, source: { from: 'goal' } });
  if (whole.kind !== 'planned') throw new Error('the whole goal is always a plan');
  return { kind: 'planned', plan: whole.plan, shown: whole.shown };
}

/** A plan that a person gives in place of the one that was asked about. Throws what is wrong with it. */
export async function planByPerson(run: TaskRun, settings: TaskSettings, plan: unknown): Promise<PackedPlan> {
  const input = planInput(run, settings, { from: 'person', plan });
  const { planTask } = proxyActivities<HostActivities>(planOptions(settings, 1, 'check another plan'));
  const outcome = await planTask(input);
  if (outcome.kind !== 'planned') throw new Error('a plan of a person is taken or refused');
  return outcome.plan;
}

export function planInput(
  { state }: Pick<TaskRun, 'state'>,
  settings: TaskSettings,
  source: PlanSource,
): PlanTaskInput {
  const { feedback = [], round = 1 } = state.planner.revision ?? {};
  const { brief } = settings;
  if (brief === undefined) throw new Error('the task has kept nothing that it could be planned with');
  const lessons = buildLessonContext(state);
  return {
    taskId: state.id,
    chain: workflowInfo().firstExecutionRunId,
    brief,
    workspace: settings.workspace,
    source,
    version: (state.plan.current?.version ?? 0) + 1,
    round,
    feedback,
    tries: 1,
    grant: buildPlannerGrant({ ...settings.budget, ...state.budget.limits }),
    ...(lessons === undefined ? {} : { lessons }),
  };
}

/** Reasons that people are told; the first ones show what is wrong. */
const mostReasons = 5;

/** All that is left of the task is the planner's to spend: nothing else runs yet. */
function buildPlannerGrant({ modelCalls, tokens, costUsd }: BudgetLimits): Grant {
  return {
    ...(modelCalls === undefined ? {} : { modelCalls }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

/**
 * Crashes, or trouble of the machine, have spent the retry policy: that passes too, and is no reason for a degraded plan. Throws what does
 * not pass.
 */
export function readLostPlanner({ planner }: TaskState, error: unknown): PlanTaskOutcome & { kind: 'not-made' } {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const passes = cause instanceof TimeoutFailure || (cause instanceof ApplicationFailure && cause.type === 'transient');
  if (!passes) throw error;
  const { failure, lastTry } = explain(error);
  const { used, models = [] } = lastTry ?? planner.spent ?? { used: nothingUsed };
  const outage = { why: failure.summary, category: 'environment' } as const;
  return { kind: 'not-made', problems: [failure.summary], outage, used, models };
}
