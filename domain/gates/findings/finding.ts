import { limits } from '../../limits/domain-limits.ts';
import { clip, oneLine } from '../../text/text.ts';
import type { Danger, GateRuling } from '../../types/basic/gate.ts';
import { buildSignature } from './standing-signature.ts';

/** A problem of a part of a call. */
export type GateFinding = Exclude<GateRuling, { kind: 'allow' }>;

/** `scope` is what an answer for good would cover; without it, the answer holds for this one time. */
export const ask = (danger: Danger, why: string, scope?: string): GateFinding => ({
  kind: 'ask',
  danger,
  why,
  signature: scope === undefined ? null : buildSignature(danger, scope),
});

export const deny = (why: string): GateFinding => ({ kind: 'deny', why });

/** A word of the call in a sentence: bounded, and marked as what it is. */
export const quoteWord = (text: string): string => `\`${clip(oneLine(text).replaceAll('`', "'"), limits.quoted)}\``;

/** Effects that cannot be taken back come first, those that an answer may allow for good last: so no such answer is offered for a call that does worse. */
const order: readonly Danger[] = [
  'delete',
  'destructive',
  'device',
  'sql',
  'history',
  'publish',
  'download',
  'secret',
  'privilege',
  'config',
  'unclear',
  'permissions',
  'outside',
  'web',
  'code',
  'rule',
  'tool',
  'program',
];

/** The worst part counts; of equals the first, but for one that is asked each time. */
export function worst(findings: readonly GateFinding[]): GateRuling {
  const denied = findings.find(({ kind }) => kind === 'deny');
  if (denied !== undefined) return denied;
  const asks = findings.flatMap((finding) => (finding.kind === 'ask' ? [finding] : []));
  const [first] = asks.toSorted(
    (a, b) =>
      Number(a.signature !== null) - Number(b.signature !== null) || order.indexOf(a.danger) - order.indexOf(b.danger),
  );
  return first ?? { kind: 'allow' };
}
