import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanInput } from '../../domain/schema/plan-schema.ts';

/** A plan with the word that `HEDDLE_TRUST=1 heddle run` sends along: that the heddle.toml of its workspace, as it is now, is trusted. */
export function vouched<Plan extends Pick<PlanInput, 'workspace' | 'config'>>(plan: Plan): Plan {
  if (plan.workspace === undefined || !existsSync(plan.workspace)) return plan;
  const path = join(realpathSync(plan.workspace), 'heddle.toml');
  if (!existsSync(path)) return plan;
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  return { ...plan, config: { trusted: { path, sha256 }, ...plan.config } };
}
