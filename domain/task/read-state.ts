import { limits } from '../limits/domain-limits.ts';
import type { Remedy } from '../types/remedy.ts';
import type { RemedyFacts } from '../types/events.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import type { PlanChanges, PlanPage, PlanRow } from '../types/plan.ts';
import type { FinishedSubtask } from '../types/reuse.ts';
import type { TaskSettings } from '../types/task-settings.ts';
import { defaultTaskLimits, type TaskLimits } from '../limits/task-limits.ts';
import { getOwn } from '../util/own-property.ts';
import { reduceLadder } from '../recovery/ladder.ts';
import type { Ladder } from '../types/ladder.ts';
import type { TaskState } from './state.ts';
import { staleOf, statusOf } from './subtask-phase.ts';
import { hasEnded } from '../types/subtask.ts';
import type { SubtaskState } from './subtask-state.ts';

export function subtaskOf(state: TaskState, id: string): SubtaskState {
  const subtask = getOwn(state.subtasks, id);
  if (subtask === undefined) throw new Error(`no subtask ${id} in the plan`);
  return subtask;
}

/** The row of a subtask in the plan. */
export function rowOf(state: TaskState, id: string): PlanRow {
  const row = state.plan.current?.rows[getOwn(state.plan.index, id) ?? -1];
  if (row === undefined) throw new Error(`no subtask ${id} in the plan`);
  return row;
}

/** The files that a running subtask writes: as the plan has it that started it. */
export const writtenBy = (state: TaskState, id: string): readonly string[] =>
  staleOf(subtaskOf(state, id))?.deliverables ?? rowOf(state, id).deliverables;

export const rowsOf = (state: TaskState): readonly PlanRow[] => state.plan.current?.rows ?? [];

/** The page of the plan that holds a subtask's definition. */
export function pageOf(state: TaskState, id: string): PlanPage {
  const index = getOwn(state.plan.index, id) ?? -1;
  const page = state.plan.current?.pages.find(({ from, count }) => index >= from && index < from + count);
  if (page === undefined) throw new Error(`no page of the plan holds ${id}`);
  return page;
}

export function settingsOf(state: TaskState): TaskSettings {
  if (state.plan.settings === null) throw new Error('there is no plan yet');
  return state.plan.settings;
}

/** The limits of this task: what its config said at its start, else the defaults. */
export const limitsOf = ({ plan: { settings } }: Pick<TaskState, 'plan'>): TaskLimits => ({
  ...defaultTaskLimits,
  ...settings?.limits,
});

/** The newest record of a subtask, as far as this run knows it. */
export function recordOf(state: TaskState, id: string): AttemptRecord | undefined {
  return state.log.records[getOwn(state.log.lastRecord, id) ?? -1];
}

/** Subtasks that directly depend on this one and have not ended. */
export const openDependents = (state: TaskState, id: string): string[] =>
  (getOwn(state.plan.dependents, id) ?? []).filter((dependent) => !hasEnded(statusOf(subtaskOf(state, dependent))));

/** Completed subtasks in plan order, with the results for their dependents. */
export function finishedSubtasks(state: TaskState): FinishedSubtask[] {
  return rowsOf(state).flatMap(({ id }) => {
    const { phase, evidence } = subtaskOf(state, id);
    if (phase.name !== 'completed') return [];
    const { verdict, result } = phase.passed;
    return verdict === 'fail'
      ? []
      : [{ id, verdict, result: result.ref, ...(evidence === undefined ? {} : { evidence }) }];
  });
}

/** `deploy-1`, `deploy-2`: the first number that no question of the task has had, whatever its subtasks are called. */
export function freeDecisionId(state: TaskState, stem: string): string {
  let number = 1;
  while (
    Object.hasOwn(state.decisions.answered, `${stem}-${number}`) ||
    state.decisions.open.some(({ id }) => id === `${stem}-${number}`)
  )
    number += 1;
  return `${stem}-${number}`;
}

/** The time for waits: it stands still in a pause, and the end of it moves what waits by its length. */
export const clockOf = (state: TaskState, now: number): number => state.control.paused?.since ?? now;

/** The ladder of one subtask, reduced to the rungs that add something for it. */
export function resolveLadder(state: TaskState, id: string): Ladder {
  const row = rowOf(state, id);
  return reduceLadder(row.ladder ?? state.plan.settings?.ladder ?? [], row.tier);
}

/** The open item of a subtask. */
export function openItem(state: TaskState, id: string): Remedy | undefined {
  const { remedy } = subtaskOf(state, id);
  return remedy?.ended === undefined ? remedy : undefined;
}

/** Subtasks whose item is open, in the order of the items. */
export const listOpenItems = ({ remedies }: Pick<TaskState, 'remedies'>): readonly string[] => remedies?.open ?? [];

export const describeItem = (subtask: string, { id: item, targets, attempts }: Remedy): RemedyFacts => ({
  subtask,
  item,
  targets,
  attempts,
});

/** The wait before the next follow-up: it doubles with each, up to a limit. */
export function waitBeforeTry(state: TaskState, { attempts, max }: Remedy): number {
  const { remediationTries, remediationWait } = limitsOf(state);
  const before = attempts - (max - remediationTries);
  return Math.min(remediationWait * 2 ** before, Math.max(limits.remediation.longestWait, remediationWait));
}

/** Subtasks that stand still until the last try of their item. */
export const listParked = (state: TaskState): string[] =>
  listOpenItems(state).filter((id) => subtaskOf(state, id).phase.name === 'parked');

/** True when parked items are all that is left before a synthesis, or before the end. */
export function isLastTryDue(state: TaskState): boolean {
  const parked = listParked(state);
  const normal = parked.filter((id) => !rowOf(state, id).synthesis).length;
  return parked.length > 0 && state.queue.unfinishedNormal === normal;
}

/** Subtasks whose open item a new plan makes worthless: it changes them, or what they were made of. */
export function listDroppedItems(state: TaskState, { retargeted, superseded }: PlanChanges): string[] {
  const dropped = new Set<string>();
  const queue = [...retargeted, ...superseded.map(({ id }) => id)];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (dropped.has(id) || openItem(state, id) === undefined) continue;
    dropped.add(id);
    if (subtaskOf(state, id).released === true) queue.push(...openDependents(state, id));
  }
  return [...dropped];
}
