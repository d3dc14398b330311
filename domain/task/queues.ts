import type { TaskState } from './state.ts';
import type { SubtaskState } from './subtask-state.ts';

/** A subtask is in at most one of the queues: ready, delayed, running. */

export function takeSlot(state: TaskState, subtask: SubtaskState): void {
  subtask.status = 'running';
  subtask.notBefore = null;
  removeWaiting(state, subtask.id);
  state.queue.running.push(subtask.id);
}

export function leaveSlot(state: TaskState, id: string): void {
  remove(state.queue.running, id);
}

export function makeReady(state: TaskState, subtask: SubtaskState, notBefore: number | null): void {
  subtask.status = 'pending';
  subtask.notBefore = notBefore;
  (notBefore === null ? state.queue.ready : state.queue.delayed).push(subtask.id);
}

export function removeWaiting(state: TaskState, id: string): void {
  remove(state.queue.ready, id);
  remove(state.queue.delayed, id);
}

/** The time for waits: it stands still in a pause, and the end of it moves what waits by its length. */
export const clockOf = (state: TaskState, now: number): number => state.control.paused?.since ?? now;

function remove(list: string[], item: string): void {
  const index = list.indexOf(item);
  if (index !== -1) list.splice(index, 1);
}
