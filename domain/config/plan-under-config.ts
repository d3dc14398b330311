import { addGoalChecks, markGoalCheck } from '../checks/goal-checks.ts';
import { completePlan, type PlanParts } from '../plan/complete-plan.ts';
import { findNameProblems } from '../plan/names.ts';
import { noPlanner } from '../plan/topology.ts';
import type { Plan } from '../schema/plan-schema.ts';
import { planError } from '../input/problem.ts';
import { applyConfig } from './apply-config.ts';
import type { FrozenConfig } from './layers.ts';
import { buildKnownNames } from './names-of.ts';

/** A checked plan as it runs under a config: its names are there, what it leaves open is filled in. `raw` is what was sent. */
export function planUnderConfig(parsed: Plan, raw: unknown, config: FrozenConfig): PlanParts {
  const names = buildKnownNames(config);
  const unknown = [...findNameProblems(raw, names), ...(parsed.subtasks.length > 0 || names.plans ? [] : [noPlanner])];
  if (unknown.length > 0) throw planError(unknown);
  const { plan: configuredPlan, defaults } = applyConfig(parsed, config);
  const ladder = configuredPlan.ladder?.map(({ person = false }) => ({ person })) ?? defaults.ladder;
  const { plan, added } = addGoalChecks(configuredPlan, ladder);
  const parts = completePlan(plan, defaults);
  return { ...parts, subtasks: markGoalCheck(parts.subtasks, added) };
}
