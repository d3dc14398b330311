import type { FrozenConfig } from './layers.ts';
import { mergeConfig } from './merge.ts';
import { pick } from './pick.ts';
import type { PlanDefaults } from '../plan/complete-plan.ts';
import { completeApproval, completeRetry, completeRung, planDefaults } from '../plan/complete-plan.ts';
import type { Plan } from '../schema/plan-schema.ts';
import { changedLimits, defaultTaskLimits, type TaskLimits } from '../limits/task-limits.ts';

/** Keys that a plan has too: a flag takes their place in it. */
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
  'executor',
] as const;

/** The plan as the flags change it, and what holds where it is silent. A subtask's own keys always stand. */
export function applyConfig(plan: Plan, config: FrozenConfig): { plan: Plan; defaults: PlanDefaults } {
  return { plan: mergeConfig<Plan>(plan, pick(config.above, planKeys)), defaults: buildPlanDefaults(config) };
}

function buildPlanDefaults({ values, executors }: FrozenConfig): PlanDefaults {
  const { project, planApproval, budget, recovery, verifyTimeout, executor, roles } = values;
  const limits = limitsIn(values);
  const given = completeRetry(values.retry ?? {}, planDefaults.retry);
  // Two layers may each say one half of what Temporal would refuse.
  const retry = { ...given, maximumInterval: Math.max(given.maximumInterval, given.initialInterval) };
  const defaults: PlanDefaults = {
    ...planDefaults,
    approval: completeApproval(values.approval, planDefaults.approval),
    maxParallelSubtasks: values.maxParallelSubtasks ?? planDefaults.maxParallelSubtasks,
    escalationPause: values.escalationPause ?? planDefaults.escalationPause,
    timeout: values.commandTimeout ?? planDefaults.timeout,
    maxAttempts: values.maxAttempts ?? planDefaults.maxAttempts,
    contractCheck: values.contractCheck ?? planDefaults.contractCheck,
    verification: values.verification?.default ?? planDefaults.verification,
    planning: { ...planDefaults.planning, ...values.planning },
    retry,
    executors,
  };
  return {
    ...defaults,
    ladder: values.ladder?.map((given) => completeRung(given, defaults)) ?? planDefaults.ladder,
    ...(project === undefined ? {} : { project }),
    ...(planApproval === undefined ? {} : { planApproval }),
    ...(budget === undefined ? {} : { budget }),
    ...(recovery === undefined ? {} : { recovery }),
    ...(verifyTimeout === undefined ? {} : { verifyTimeout }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(executor === undefined ? {} : { executor }),
    ...(roles === undefined ? {} : { roles }),
  };
}

/** Of a table that a layer begins, the defaults say the rest: merged, it is whole. */
function limitsIn({ limits = {} }: FrozenConfig['values']): Partial<TaskLimits> {
  const wait = { ...defaultTaskLimits.environmentWait, ...limits.environmentWait };
  // Those of conversations are frozen with the plan: no rule of the workflow asks for them.
  const ofTask = Object.entries(limits).filter(([key]) => Object.hasOwn(defaultTaskLimits, key));
  return changedLimits({
    ...Object.fromEntries(ofTask),
    environmentWait: { ...wait, most: Math.max(wait.most, wait.first) },
  });
}
