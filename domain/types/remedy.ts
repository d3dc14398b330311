import type { EvidenceReason } from './basic/remediation.ts';
import type { Result } from './basic/result.ts';

/** How an item ended without being resolved. */
export type RemedyEnd = 'failed' | 'expired' | 'waived' | 'dropped';

/** The evidence that a subtask owes: one item, which stays as it was when it ended unresolved. */
export interface Remedy {
  /** `rem-1`, `rem-2`: numbered within the task. */
  id: string;
  /** Tries at once, while its dependents wait; or tries beside the work that goes on with the result. */
  strategy: 'confirm-or-prune' | 'follow-up';
  reasons: EvidenceReason[];
  /** Claims and targets without evidence: those of the newest verdict whose changes were kept. */
  targets: string[];
  /** Unresolved, it fails the task. */
  blocking: boolean;
  /** Tries so far, and the number at which its strategy is spent. */
  attempts: number;
  max: number;
  /** Milliseconds. */
  queuedAt: number;
  /** Null before it is queued. */
  expiresAt: number | null;
  /** The best result so far. */
  result: Result;
  /** All its tries are spent, and the one before the synthesis is left or runs. */
  last?: true;
  /** A person asked for one more try, whatever is used. */
  granted?: true;
  ended?: RemedyEnd;
}

/** The rest of a failed verdict that misses nothing but evidence. */
export interface Owed {
  reasons: EvidenceReason[];
  targets: string[];
  result: Result;
}
