import { completePlan, type PlanParts } from '../plan/complete-plan.ts';
import { findNameProblems } from '../plan/names.ts';
import type { Plan } from '../schema/plan-schema.ts';
import { planError } from '../source/problem.ts';
import { applyConfig } from './apply-config.ts';
import type { ResolvedConfig } from './layers.ts';
import { namesOf } from './names-of.ts';

/** A checked plan as it runs under a config: its names are there, what it leaves open is filled in. `raw` is what was sent. */
export function planUnderConfig(parsed: Plan, raw: unknown, config: ResolvedConfig): PlanParts {
  const unknown = findNameProblems(raw, namesOf(config));
  if (unknown.length > 0) throw planError(unknown);
  const { plan, defaults } = applyConfig(parsed, config);
  return completePlan(plan, defaults);
}
