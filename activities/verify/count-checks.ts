import type { EvidenceRules } from '../../domain/types/basic/evidence.ts';
import type { Checks, Issue, ReasonCode, Verdict } from '../../domain/types/attempt.ts';

/** Checks that no plan asks for count where they report something. */
const unasked: ReadonlySet<ReasonCode> = new Set([
  'syntax-invalid',
  'empty-output',
  'contract-mismatch',
  'tool-failed',
  'partial',
]);

/** How many checks the plan asks for: without any, nothing looks at the result. */
export const askedChecks = ({ deliverables, verify, rules, requiredSections, diff, evidence }: Checks): number =>
  deliverables.length +
  verify.length +
  rules.length +
  requiredSections.length +
  (diff ? 1 : 0) +
  (evidence === undefined ? 0 : countEvidenceChecks(evidence));

/** Targets are one check, of the subtask and of the task each; marks are another. */
const countEvidenceChecks = ({ targets, targetsFrom, citations, shared }: EvidenceRules): number =>
  (targets.length > 0 || targetsFrom !== undefined ? 1 : 0) + (shared === undefined ? 0 : 1) + (citations ? 1 : 0);

/** How many checks there were, and how many of them found nothing. A check that looked at nothing has not passed. */
export function countChecks(checks: Checks, issues: readonly Issue[], unseen: number): NonNullable<Verdict['checks']> {
  const total = askedChecks(checks) + issues.filter(({ code }) => unasked.has(code)).length;
  return { passed: Math.max(0, total - Math.max(issues.length, unseen)), total };
}
