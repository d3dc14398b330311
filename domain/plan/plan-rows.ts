import { buildCall } from '../executors/kinds.ts';
import type { PlanRow } from '../types/plan.ts';
import type { Subtask } from '../types/subtask.ts';

/** Returns the part of a subtask that the rules and the workflow need. Activities read the rest from its page. */
export function buildPlanRow(subtask: Subtask): PlanRow {
  const { id, dependsOn, deliverables, synthesis, maxAttempts, tier, recovery } = subtask;
  const { critical, isolation, ladder, verification, whenUnchecked, askedChecks } = subtask;
  return {
    id,
    dependsOn,
    deliverables,
    synthesis,
    maxAttempts,
    tier,
    recovery,
    call: buildCall(subtask.executor),
    commands: subtask.verify.length,
    ...(askedChecks === undefined ? {} : { askedChecks }),
    ...(critical ? { critical } : {}),
    ...(isolation === undefined ? {} : { isolation }),
    ...(verification === undefined ? {} : { verification }),
    ...(whenUnchecked === undefined ? {} : { whenUnchecked }),
    ...(ladder === undefined ? {} : { ladder }),
  };
}
