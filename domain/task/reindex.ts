import type { PlanRow } from '../types/plan.ts';
import { getOwn, setOwn } from '../util/own-property.ts';
import { rowsOf, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';
import { hasEnded } from '../types/subtask.ts';

/** Rebuilds what is only there to be found quickly, from the rows of the plan and where each subtask is. Who waits in a queue keeps its place. */
export function reindex(state: TaskState): void {
  const rows = rowsOf(state);
  state.plan.index = {};
  state.plan.dependents = {};
  for (const [index, { id }] of rows.entries()) {
    setOwn(state.plan.index, id, index);
    setOwn(state.plan.dependents, id, []);
  }
  state.queue.unfinished = 0;
  state.queue.unfinishedNormal = 0;
  for (const row of rows) {
    for (const dependency of row.dependsOn) getOwn(state.plan.dependents, dependency)?.push(row.id);
    const subtask = subtaskOf(state, row.id);
    subtask.waitsFor = countMissing(state, row);
    if (hasEnded(subtask.status)) continue;
    state.queue.unfinished += 1;
    if (!row.synthesis) state.queue.unfinishedNormal += 1;
  }
  queue(state, rows);
}

const countMissing = (state: TaskState, { dependsOn }: PlanRow): number =>
  dependsOn.filter((id) => !isThere(state, id)).length;

function isThere(state: TaskState, id: string): boolean {
  const { status } = subtaskOf(state, id);
  return status === 'completed' || status === 'skipped';
}

function queue(state: TaskState, rows: readonly PlanRow[]): void {
  const mayStart = (id: string): boolean => {
    const { status, waitsFor } = subtaskOf(state, id);
    return status === 'pending' && waitsFor === 0;
  };
  state.queue.delayed = state.queue.delayed.filter((id) => mayStart(id) && subtaskOf(state, id).notBefore !== null);
  const waiting = state.queue.ready.filter(mayStart);
  const placed = new Set([...waiting, ...state.queue.delayed]);
  state.queue.ready = [...waiting, ...rows.map(({ id }) => id).filter((id) => !placed.has(id) && mayStart(id))];
}
