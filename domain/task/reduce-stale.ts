import type { EventOf } from '../types/events.ts';
import { enterPhase } from './enter-phase.ts';
import { putRecord } from './records.ts';
import { recordOf, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';
import { staleOf } from './subtask-phase.ts';
import type { SubtaskState } from './subtask-state.ts';

/** Ends attempts that an older plan started. Called by `apply` alone. */
export function reduceStale(
  state: TaskState,
  event: EventOf<'stale.end-planned' | 'outcome.stale'>,
  now: number,
): void {
  switch (event.type) {
    case 'stale.end-planned':
      return scheduleEnd(state, event);
    case 'outcome.stale':
      return dropOutcome(state, event, now);
  }
}

function scheduleEnd(state: TaskState, { subtask, reason, as }: EventOf<'stale.end-planned'>): void {
  const stale = staleOf(subtaskOf(state, subtask));
  if (stale === undefined) throw new Error(`${subtask} is not of an older plan`);
  // The first reason stays.
  if (stale.superseded !== undefined) return;
  stale.superseded = reason;
  stale.ends = as;
}

/** It has stopped: its slot is free, and the subtask starts as the new plan has it, unless that has none. */
function dropOutcome(state: TaskState, { subtask: id, files }: EventOf<'outcome.stale'>, now: number): void {
  const subtask = subtaskOf(state, id);
  const record = recordOf(state, id);
  if (record !== undefined)
    putRecord(state, { ...record, files, outcome: 'cancelled', endedAt: new Date(now).toISOString() });
  enterPhase(state, subtask, 'outcome.stale', { name: subtask.waitsFor === 0 ? 'ready' : 'waiting' });
  forgetAttempt(subtask);
}

/** Drops the facts that the attempts so far have gathered about other work. */
export function forgetAttempt(subtask: SubtaskState): void {
  subtask.environmentWaits = 0;
  if (subtask.climb.attempts > 0) subtask.strategy = 'feedback';
  delete subtask.diagnosis;
}
