import { remediationsLeft } from '../schedule/budget-limits.ts';
import { foldTarget } from '../evidence/confirmed-targets.ts';
import { limitsOf, resolveLadder, rowOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { NextStep } from '../types/ladder.ts';
import type { Owed, Remedy } from '../types/remedy.ts';

/** True where evidence that is missing may be owed: the plan says so, results need no person, and tries are left. */
export function mayOwe(state: TaskState, id: string): boolean {
  const isManual = state.plan.settings?.approval.mode === 'manual';
  return rowOf(state, id).remediation !== undefined && !isManual && remediationsLeft(state) > 0;
}

/** Opens an item in place of a question to a person: the ladder is spent, and nothing but evidence is missing. */
export function openRemedy(state: TaskState, id: string, owed: Owed, now: number): NextStep {
  const { confirmTries, remediationTries } = limitsOf(state);
  const row = rowOf(state, id);
  const isConfirmed = row.remediation === 'confirm-or-prune-then-queue';
  const item: Remedy = {
    id: `rem-${(state.remedies?.count ?? 0) + 1}`,
    strategy: isConfirmed ? 'confirm-or-prune' : 'follow-up',
    ...owed,
    blocking: row.critical === true,
    attempts: 0,
    max: isConfirmed ? confirmTries : remediationTries,
    queuedAt: now,
    expiresAt: null,
  };
  return { kind: 'remedy', item, then: isConfirmed ? 'try' : 'release' };
}

/** True where a try left less to find than there was: its changes are kept. */
export function improves({ targets }: Pick<Remedy, 'targets'>, owed: Pick<Owed, 'targets'> | undefined): boolean {
  if (owed === undefined || owed.targets.length === 0 || owed.targets.length >= targets.length) return false;
  const before = new Set(targets.map(foldTarget));
  return owed.targets.every((target) => before.has(foldTarget(target)));
}

/** Decides what follows from a try that did not resolve its item. */
export function nextAfterTry(
  state: TaskState,
  id: string,
  { item: before, failure, owed }: { item: Remedy; failure: Failure; owed: Owed | undefined },
  now: number,
): NextStep {
  const item = joinVerdict(before, owed);
  const ends = (reason: string, why: 'failed' | 'expired' = 'failed'): NextStep => ({
    kind: 'owed',
    item,
    why,
    reason,
  });
  // Trouble that no other try removes is a person's.
  if (failure.category !== 'quality')
    return resolveLadder(state, id).person ? { kind: 'person', because: 'ladder' } : ends(failure.summary);
  if (isExpired(item, now)) return ends(expiredReason, 'expired');
  if (item.last === true) return ends(failure.summary);
  if (remediationsLeft(state) <= 0) return ends(noBudgetReason);
  if (item.attempts < item.max) return { kind: 'remedy', item, then: 'try' };
  if (item.strategy === 'confirm-or-prune') {
    const max = item.attempts + limitsOf(state).remediationTries;
    return { kind: 'remedy', item: { ...item, strategy: 'follow-up', max }, then: 'release' };
  }
  return item.blocking ? ends(failure.summary) : { kind: 'remedy', item, then: 'park' };
}

/** One item per subtask: another reason joins it, and targets are those of the newest verdict whose changes were kept. */
function joinVerdict(item: Remedy, owed: Owed | undefined): Remedy {
  if (owed === undefined) return item;
  const reasons = [...new Set([...item.reasons, ...owed.reasons])];
  const { targets, result } = owed;
  return improves(item, owed) ? { ...item, reasons, targets, result } : { ...item, reasons };
}

export const isExpired = ({ expiresAt }: Remedy, now: number): boolean => expiresAt !== null && expiresAt <= now;

export const expiredReason = 'the time for it is over';
export const noBudgetReason = 'the budget for repairs is used up';
