import type { GrantKey } from '../types/agent.ts';
import type { AskedCheck } from '../types/basic/gate.ts';
import type { PlanRow } from '../types/plan.ts';
import { getOwn } from '../util/own-property.ts';
import { ClaimedPaths } from '../workspace/claimed-paths.ts';
import { grantFor, findShortage, spends } from './grants.ts';
import { listOpenItems, openDependents, rowOf, rowsOf, subtaskOf, writtenBy } from '../task/read-state.ts';
import { statusOf, notBeforeOf } from '../task/subtask-phase.ts';
import type { TaskState } from '../task/state.ts';

/**
 * Subtasks that may start now, in the order in which they became ready, as many as slots are free. Of those that need a grant only
 * the first: once it has it, there is another answer for the next.
 */
export function startable(state: TaskState, now: number): string[] {
  if (state.plan.settings === null || state.control.phase !== 'running' || mayNotStart(state)) return [];
  let slots = state.plan.settings.maxParallelSubtasks - state.queue.running.length;
  const chosen: string[] = [];
  let granted = false;
  if (slots <= 0) return chosen;
  const written = new ClaimedPaths();
  for (const id of state.queue.running) written.add(writtenBy(state, id));
  const due = state.queue.delayed.filter((id) => isDue(state, id, now));
  for (const id of triesLast(state, due.length === 0 ? state.queue.ready : [...due, ...state.queue.ready])) {
    if (slots === 0) break;
    const row = rowOf(state, id);
    if (!synthesisMayRun(state, row) || nextCheck(state, id) !== undefined) continue;
    const needsGrant = spends(state, id);
    // A subtask that waits until others give back keeps nobody from a deliverable: it may be waiting for that very one.
    if (needsGrant && grantFor(state, id) === null) continue;
    // Two whose deliverables overlap never run together; the first one in goes first, also when it has to wait itself.
    const free = !written.overlaps(row.deliverables);
    written.add(row.deliverables);
    if (!free) continue;
    if (needsGrant && granted) continue;
    granted ||= needsGrant;
    chosen.push(id);
    slots -= 1;
  }
  return chosen;
}

/** A try to find owed evidence takes a slot that nothing else needs. */
function triesLast(state: TaskState, ids: readonly string[]): readonly string[] {
  const open = new Set(listOpenItems(state));
  if (open.size === 0) return ids;
  return [...ids.filter((id) => !open.has(id)), ...ids.filter((id) => open.has(id))];
}

/**
 * A budget for want of which nothing starts, although nobody runs who could give something back: what is left of it is held by those whose
 * last execution was lost, and they wait for each other.
 */
export function wantedBudget(state: TaskState, now: number): GrantKey | undefined {
  if (Object.keys(state.budget.limits).length === 0 || state.queue.running.length > 0) return undefined;
  if (state.control.phase !== 'running' || mayNotStart(state)) return undefined;
  if (state.planner.rewordings !== undefined || state.planner.abandonedGrant !== undefined) return undefined;
  if (state.queue.delayed.some((id) => !isDue(state, id, now)) || startable(state, now).length > 0) return undefined;
  const unfunded = [...state.queue.delayed, ...state.queue.ready].find(
    (id) => spends(state, id) && grantFor(state, id) === null,
  );
  return unfunded === undefined ? undefined : findShortage(state, unfunded);
}

/** The first of its verify commands that a person has yet to be asked about: before that it does not start. */
export function nextCheck(state: TaskState, id: string): AskedCheck | undefined {
  const { askedChecks } = rowOf(state, id);
  if (askedChecks === undefined) return undefined;
  const { checkAnswers = [] } = subtaskOf(state, id);
  return askedChecks.find(({ hash }) => !checkAnswers.some((answer) => answer.hash === hash));
}

/** Paused, stopping, a question about the whole task is open, or another plan is on its way. */
export const mayNotStart = (state: TaskState): boolean => isHeld(state) || state.planner.replan !== undefined;

/** Nothing starts, no planner either. */
export function isHeld(state: TaskState): boolean {
  return (
    state.control.paused !== null ||
    state.control.cancelling !== null ||
    state.decisions.open.some((decision) => decision.subtask === null)
  );
}

function isDue(state: TaskState, id: string, now: number): boolean {
  const notBefore = notBeforeOf(subtaskOf(state, id));
  return notBefore === null || notBefore <= now;
}

/** A terminal synthesis waits for all that is no synthesis. */
const synthesisMayRun = (state: TaskState, row: PlanRow): boolean =>
  !row.synthesis || state.queue.unfinishedNormal === 0;

/**
 * The earliest time after `now` at which a ready subtask's wait is over; null when there is none. What is due already and did not
 * start waits for a slot or a person, not for the clock: an alarm for it would ring at once, again and again.
 */
export function nextDue(state: TaskState, now = -Infinity): number | null {
  let earliest: number | null = null;
  for (const id of state.queue.delayed) {
    const notBefore = notBeforeOf(subtaskOf(state, id));
    if (notBefore !== null && notBefore > now && (earliest === null || notBefore < earliest)) earliest = notBefore;
  }
  return earliest;
}

/** All not finished subtasks behind this one, in plan order. */
export function openBranch(state: TaskState, id: string): string[] {
  return [...behind(state, [id])].sort(
    (a, b) => (getOwn(state.plan.index, a) ?? 0) - (getOwn(state.plan.index, b) ?? 0),
  );
}

/** Lists the subtasks that an option may take with it. Dependents that were freed with its result are not behind it any more. */
export function listLeftBehind(state: TaskState, id: string): { dependents: string[]; branch: string[] } {
  if (subtaskOf(state, id).released === true) return { dependents: [], branch: [] };
  return { dependents: openDependents(state, id), branch: openBranch(state, id) };
}

function behind(state: TaskState, ids: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const queue = [...ids];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const dependent of openDependents(state, next)) {
      if (!seen.has(dependent)) {
        seen.add(dependent);
        queue.push(dependent);
      }
    }
  }
  return seen;
}

/** Subtasks that can still go on although the given one does not: not those behind it or behind an open question. */
export function countIndependent(state: TaskState, id: string): number {
  const subtasks = rowsOf(state);
  const waiting = subtasks
    .filter((subtask) => statusOf(subtaskOf(state, subtask.id)) === 'waiting')
    .map((subtask) => subtask.id);
  const held = behind(state, [id, ...waiting]);
  const gated = !rowOf(state, id).synthesis;
  let count = 0;
  for (const subtask of subtasks) {
    const status = statusOf(subtaskOf(state, subtask.id));
    if (subtask.id === id || held.has(subtask.id) || (gated && subtask.synthesis)) continue;
    if (status === 'pending' || status === 'running') count += 1;
  }
  return count;
}

/** True when anything runs, or will start by itself, without a person. */
export function isBusy(state: TaskState, now: number): boolean {
  if (state.queue.running.length > 0 || state.control.cancelling !== null) return true;
  if (state.planner.replan !== undefined && (state.planner.replan.grant !== undefined || !isHeld(state))) return true;
  return !mayNotStart(state) && (startable(state, now).length > 0 || state.queue.delayed.length > 0);
}

export type TaskStatus = 'planning' | 'running' | 'paused' | 'waiting' | 'completed' | 'failed' | 'cancelled';

/** Waiting is said only when nothing can run without a person. */
export function taskStatus(state: TaskState, now: number): TaskStatus {
  if (state.control.ended !== null) return state.control.ended.state;
  if (state.control.paused !== null) return 'paused';
  if (state.decisions.open.length > 0 && !isBusy(state, now)) return 'waiting';
  return state.control.phase === 'planning' ? 'planning' : 'running';
}
