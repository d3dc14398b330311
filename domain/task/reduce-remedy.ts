import { getOwn } from '../util/own-property.ts';
import type { EventOf, TaskEvent } from '../types/events.ts';
import type { Remedy, RemedyEnd } from '../types/remedy.ts';
import { enterPhase } from './enter-phase.ts';
import { clockOf, limitsOf, subtaskOf } from './read-state.ts';
import { openRecord, putRecord } from './records.ts';
import type { TaskState } from './state.ts';
import type { SubtaskState } from './subtask-state.ts';

type RemedyEvent = EventOf<Extract<TaskEvent['type'], `remediation.${string}`> | 'attempt.reverted'>;

/** Changes the items of remediation. Called by `apply` alone. */
export function reduceRemedy(state: TaskState, event: RemedyEvent, now: number): void {
  const subtask = subtaskOf(state, event.subtask);
  switch (event.type) {
    case 'attempt.reverted':
      return putRecord(state, { ...openRecord(state, event.subtask), reverted: event.reverted });
    case 'remediation.queued':
      return queueItem(state, subtask, event, now);
    case 'remediation.parked':
      return enterPhase(state, subtask, event.type, { name: 'parked' });
    case 'remediation.last':
      if (subtask.remedy !== undefined) subtask.remedy = { ...subtask.remedy, last: true };
      return enterPhase(state, subtask, event.type, { name: 'ready' });
    case 'remediation.done':
      closeItem(state, subtask);
      delete subtask.remedy;
      return;
    default:
      return endItem(state, subtask, ends[event.type]);
  }
}

const ends = {
  'remediation.failed': 'failed',
  'remediation.expired': 'expired',
  'remediation.waived': 'waived',
  'remediation.dropped': 'dropped',
} as const satisfies Record<string, RemedyEnd>;

/** Waits begin when the task goes on: a pause moves them. */
function queueItem(
  state: TaskState,
  subtask: SubtaskState,
  { item, dueInMs, expiresAt }: EventOf<'remediation.queued'>,
  now: number,
): void {
  const queuedAt = clockOf(state, now);
  subtask.remedy = { ...item, queuedAt, expiresAt };
  enterPhase(state, subtask, 'remediation.queued', { name: 'delayed', notBefore: queuedAt + dueInMs });
  releaseDependents(state, subtask, 'remediation.queued');
  subtask.released = true;
}

/** Takes the item as the newest attempt left it; the first time it is opened. */
export function keepItem(state: TaskState, subtask: SubtaskState, item: Remedy): void {
  if (subtask.remedy === undefined) {
    const { count = 0, open = [] } = state.remedies ?? {};
    state.remedies = { count: count + 1, open: [...open, subtask.id] };
  }
  subtask.remedy = item;
  subtask.strategy = 'remediation';
}

/** A try counts for its item and for the budget, not as one of the attempts that its ladder may have. */
export function countTry(state: TaskState, subtask: SubtaskState, attempt: number): void {
  if (subtask.remedy === undefined) return;
  const { granted: _, ...item } = subtask.remedy;
  subtask.remedy = { ...item, attempts: item.attempts + 1 };
  subtask.climb = { ...subtask.climb, maxAttempts: Math.max(subtask.climb.maxAttempts, attempt) };
  state.budget.used.remediations = (state.budget.used.remediations ?? 0) + 1;
}

/** A person wants one more try, and gives the item as much time as it had. */
export function grantTry(state: TaskState, subtask: SubtaskState, now: number): void {
  if (subtask.remedy === undefined) return;
  const { remedy } = subtask;
  const expiresAt = remedy.expiresAt === null ? null : clockOf(state, now) + limitsOf(state).remediationTtl;
  subtask.remedy = { ...remedy, granted: true, expiresAt };
  subtask.strategy = 'remediation';
}

function endItem(state: TaskState, subtask: SubtaskState, ended: RemedyEnd): void {
  if (subtask.remedy !== undefined) subtask.remedy = { ...subtask.remedy, ended };
  closeItem(state, subtask);
}

function closeItem({ remedies }: TaskState, { id }: SubtaskState): void {
  if (remedies !== undefined) remedies.open = remedies.open.filter((open) => open !== id);
}

/** A new plan has something else for it: nothing of its result counts any more. */
export function forgetItem(state: TaskState, subtask: SubtaskState): void {
  if (subtask.remedy === undefined) return;
  closeItem(state, subtask);
  delete subtask.remedy;
  delete subtask.released;
}

/** Tells the dependents of a subtask that they need not wait for it any more: once, whether it has ended or only released its result. */
export function releaseDependents(state: TaskState, { id, released }: SubtaskState, event: TaskEvent['type']): void {
  if (released === true) return;
  for (const dependent of getOwn(state.plan.dependents, id) ?? []) {
    const subtask = subtaskOf(state, dependent);
    subtask.waitsFor -= 1;
    if (subtask.waitsFor === 0 && subtask.phase.name === 'waiting')
      enterPhase(state, subtask, event, { name: 'ready' });
  }
}
