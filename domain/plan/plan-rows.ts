import { buildCall } from '../executors/kinds.ts';
import type { EvidenceRules } from '../types/basic/evidence.ts';
import type { EvidenceRow, PlanRow } from '../types/plan.ts';
import type { Subtask } from '../types/subtask.ts';

/** Returns the part of a subtask that the rules and the workflow need. Activities read the rest from its page. */
export function buildPlanRow(subtask: Subtask): PlanRow {
  const { id, dependsOn, deliverables, synthesis, maxAttempts, tier, recovery } = subtask;
  const { critical, phase, remediation, isolation, ladder, verification, whenUnchecked, askedChecks, evidence } =
    subtask;
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
    ...(remediation === undefined ? {} : { remediation }),
    ...(phase === undefined ? {} : { phase }),
    ...(isolation === undefined ? {} : { isolation }),
    ...(verification === undefined ? {} : { verification }),
    ...(evidence === undefined ? {} : { evidence: buildEvidenceRow(evidence) }),
    ...(whenUnchecked === undefined ? {} : { whenUnchecked }),
    ...(ladder === undefined ? {} : { ladder }),
  };
}

const buildEvidenceRow = ({ ledger, shared }: EvidenceRules): EvidenceRow => ({
  ledger,
  ...(shared === undefined ? {} : { shared: true }),
});
