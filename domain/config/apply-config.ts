import type { FrozenConfig } from './layers.ts';
import { mergeConfig } from './merge.ts';
import { pick } from './pick.ts';
import type { PlanDefaults } from '../plan/complete-plan.ts';
import { completeApproval, completeRetry, completeRung, passedOnKeys, planDefaults } from '../plan/complete-plan.ts';
import type { CheckedPlan } from '../schema/plan-schema.ts';
import { changedLimits, defaultTaskLimits, type TaskLimits } from '../limits/task-limits.ts';

/** Keys that a plan and a flag can both set; the flag wins. */
const planKeys = [
  'project',
  'approval',
  'planApproval',
  'planning',
  'maxParallelSubtasks',
  'escalationPause',
  'budget',
  'ladder',
  'recovery',
  'remediation',
  'executor',
] as const;

/** Returns the plan as the flags change it, and the defaults for what it leaves open. Keys of a subtask always win. */
export function applyConfig(plan: CheckedPlan, config: FrozenConfig): { plan: CheckedPlan; defaults: PlanDefaults } {
  return { plan: mergeConfig<CheckedPlan>(plan, pick(config.above, planKeys)), defaults: buildPlanDefaults(config) };
}

function buildPlanDefaults({ values, executors }: FrozenConfig): PlanDefaults {
  const limits = completeLimits(values);
  const given = completeRetry(values.retry ?? {}, planDefaults.retry);
  // Two layers may each set one half of a pair that Temporal would refuse.
  const retry = { ...given, maximumInterval: Math.max(given.maximumInterval, given.initialInterval) };
  const defaults: PlanDefaults = {
    ...planDefaults,
    ...pick(values, passedOnKeys),
    approval: completeApproval(values.approval, planDefaults.approval),
    timeout: values.commandTimeout ?? planDefaults.timeout,
    verification: values.verification?.default ?? planDefaults.verification,
    toolFailures: values.verification?.toolFailures ?? planDefaults.toolFailures,
    remediation: { ...planDefaults.remediation, ...values.remediation },
    planning: { ...planDefaults.planning, ...values.planning },
    retry,
    executors,
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
  return { ...defaults, ladder: values.ladder?.map((rung) => completeRung(rung, defaults)) ?? planDefaults.ladder };
}

/** Completes the tables that a layer sets in part, because merging replaces a default table as a whole. */
function completeLimits({ limits = {} }: FrozenConfig['values']): Partial<TaskLimits> {
  const wait = { ...defaultTaskLimits.environmentWait, ...limits.environmentWait };
  // Limits of conversations are frozen with the plan, since no rule of the workflow reads them.
  const taskLimits = Object.entries(limits).filter(([key]) => Object.hasOwn(defaultTaskLimits, key));
  return changedLimits({
    ...Object.fromEntries(taskLimits),
    environmentWait: { ...wait, most: Math.max(wait.most, wait.first) },
  });
}
