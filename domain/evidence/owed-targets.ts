import { limits } from '../limits/domain-limits.ts';
import { clip, oneLine } from '../text/text.ts';
import type { Issue, ReasonCode } from '../types/attempt.ts';
import type { EvidenceReason } from '../types/basic/remediation.ts';
import { foldTarget } from './confirmed-targets.ts';

export const isEvidenceReason = (code: ReasonCode): code is EvidenceReason =>
  code === 'evidence-gap' || code === 'unconfirmed-data';

/** True where evidence is all that a failed verdict misses: then its result can be kept. */
export function lacksOnlyEvidence(issues: readonly Pick<Issue, 'code' | 'severity'>[]): boolean {
  const hard = issues.filter(({ severity }) => severity === 'hard');
  return hard.length > 0 && hard.every(({ code }) => isEvidenceReason(code));
}

/** The reasons of a verdict that misses only evidence, each once. */
export const listOwedReasons = (issues: readonly Pick<Issue, 'code' | 'severity'>[]): EvidenceReason[] => [
  ...new Set(issues.flatMap(({ code, severity }) => (severity === 'hard' && isEvidenceReason(code) ? [code] : []))),
];

/** Names what has no evidence, each once: the targets of the issues, else what the issues say. */
export function listOwedTargets(issues: readonly Issue[]): string[] {
  const hard = issues.filter(({ code, severity }) => severity === 'hard' && isEvidenceReason(code));
  const named = hard.flatMap(({ target }) => target ?? []);
  const texts = named.length > 0 ? named : hard.map(({ message }) => message);
  const byFold = new Map<string, string>();
  for (const text of texts) {
    const target = clip(oneLine(text), limits.remediation.target);
    if (!byFold.has(foldTarget(target))) byFold.set(foldTarget(target), target);
  }
  return [...byFold.values()].slice(0, limits.remediation.targets);
}
