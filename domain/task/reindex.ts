import type { TaskEvent } from '../types/events.ts';
import type { PlanRow } from '../types/plan.ts';
import { getOwn, setOwn } from '../util/own-property.ts';
import { enterPhase } from './enter-phase.ts';
import { rowsOf, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';
import { statusOf } from './subtask-phase.ts';
import { hasEnded } from '../types/subtask.ts';

/** Rebuilds what is only there to be found quickly, from the rows of the plan and where each subtask is. A subtask that waits in a list of the queue keeps its place. */
export function reindex(state: TaskState, event: TaskEvent['type']): void {
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
    // A subtask that has ended waits for nothing, whatever becomes of the results that it was made of.
    if (hasEnded(statusOf(subtask))) continue;
    subtask.waitsFor = countMissing(state, row);
    state.queue.unfinished += 1;
    if (!row.synthesis) state.queue.unfinishedNormal += 1;
  }
  queue(state, rows, event);
}

const countMissing = (state: TaskState, { dependsOn }: PlanRow): number =>
  dependsOn.filter((id) => !isThere(state, id)).length;

function isThere(state: TaskState, id: string): boolean {
  const { phase, released } = subtaskOf(state, id);
  return phase.name === 'completed' || phase.name === 'skipped' || released === true;
}

function queue(state: TaskState, rows: readonly PlanRow[], event: TaskEvent['type']): void {
  for (const { id } of rows) {
    const subtask = subtaskOf(state, id);
    const { name } = subtask.phase;
    if (name === 'waiting' && subtask.waitsFor === 0) enterPhase(state, subtask, event, { name: 'ready' });
    if (name === 'ready' && subtask.waitsFor > 0) enterPhase(state, subtask, event, { name: 'waiting' });
  }
}
