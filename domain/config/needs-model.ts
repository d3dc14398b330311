import { listModelNeeds } from '../plan/judge-needs.ts';
import type { CheckedPlan } from '../schema/plan-schema.ts';
import type { FrozenConfig } from './layers.ts';
import { planUnderConfig } from './plan-under-config.ts';

/** Decides if a task needs a model: to plan its goal, to do its work or to judge it. Nothing is looked for on behalf of other tasks. */
export const needsModel = (plan: CheckedPlan, raw: unknown, config: FrozenConfig): boolean =>
  plan.subtasks.length === 0 ||
  planUnderConfig(plan, raw, config).subtasks.some((subtask) => listModelNeeds(subtask).length > 0);
