import { addGoalChecks, markGoalCheck } from '../checks/goal-checks.ts';
import { completePlan, type PlanParts } from '../plan/complete-plan.ts';
import { limitTools } from '../plan/limit-tools.ts';
import { findNameProblems } from '../plan/names.ts';
import type { CheckedPlan } from '../schema/plan-schema.ts';
import { planError } from '../input/problem.ts';
import { applyConfig } from './apply-config.ts';
import { checkPlanner } from './check-planner.ts';
import type { FrozenConfig } from './layers.ts';
import { buildKnownNames } from './known-names.ts';

/** Completes a checked plan under a config: its names must exist, and its open values are filled in. `raw` is the plan as it was sent. */
export function planUnderConfig(parsed: CheckedPlan, raw: unknown, config: FrozenConfig): PlanParts {
  const names = buildKnownNames(config);
  const unknown = findNameProblems(raw, names);
  if (unknown.length > 0) throw planError(unknown);
  if (parsed.subtasks.length === 0) checkPlanner(config.models, []);
  const { plan: configuredPlan, defaults } = applyConfig(parsed, config);
  const ladder = configuredPlan.ladder?.map(({ person = false }) => ({ person })) ?? defaults.ladder;
  const { plan, added } = addGoalChecks(configuredPlan, ladder);
  const parts = completePlan(plan, defaults);
  const { process } = config;
  const subtasks = process === undefined ? parts.subtasks : limitTools(parts.subtasks, process.tools);
  return { ...parts, subtasks: markGoalCheck(subtasks, added) };
}
