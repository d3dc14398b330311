import type { PlanRow } from '../types/plan.ts';
import { getOwn, setOwn } from '../util/own-property.ts';
import { hasEnded, rowsOf, subtaskOf, type TaskState } from './state.ts';

/** Rebuilds what is only there to be found quickly, from the rows of the plan and where each subtask is. Who waits in a queue keeps its place. */
export function reindex(state: TaskState): void {
  const rows = rowsOf(state);
  state.index = {};
  state.dependents = {};
  for (const [index, { id }] of rows.entries()) {
    setOwn(state.index, id, index);
    setOwn(state.dependents, id, []);
  }
  state.open = 0;
  state.openNormal = 0;
  for (const row of rows) {
    for (const dependency of row.dependsOn) getOwn(state.dependents, dependency)?.push(row.id);
    const subtask = subtaskOf(state, row.id);
    subtask.waitsFor = countMissing(state, row);
    if (hasEnded(subtask.status)) continue;
    state.open += 1;
    if (!row.synthesis) state.openNormal += 1;
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
  state.delayed = state.delayed.filter((id) => mayStart(id) && subtaskOf(state, id).notBefore !== null);
  const waiting = state.ready.filter(mayStart);
  const placed = new Set([...waiting, ...state.delayed]);
  state.ready = [...waiting, ...rows.map(({ id }) => id).filter((id) => !placed.has(id) && mayStart(id))];
}
