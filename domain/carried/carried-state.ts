import type { PackedPlan } from '../types/plan.ts';
import { packPlan, unpackPlan } from '../plan/pack-plan.ts';
import { setOwn } from '../util/own-property.ts';
import { subtaskOf } from '../task/read-state.ts';
import type { PlanState, TaskState } from '../task/state.ts';
import { hasEnded } from '../types/subtask.ts';
import { statusOf } from '../task/subtask-phase.ts';
import { showAttempt } from '../task/records.ts';
import type { AttemptView } from '../types/attempt-view.ts';
import type { LoggedEvent } from '../types/events.ts';
import { isPlainObject } from '../planner/plain-object.ts';
import { limits } from '../limits/domain-limits.ts';

/** Grows by one whenever a carried state of the version before could not be read any more. */
const version = 1;

/** A state on its way from one run of the workflow to the next. */
export interface CarriedState {
  version: number;
  state: Omit<TaskState, 'plan'> & { plan: Omit<PlanState, 'current'> & { current: PackedPlan | null } };
}

/** Facts that the next run does not need: they go to the store. */
export interface Surplus {
  events: LoggedEvent[];
  attempts: AttemptView[];
}

/** Takes out of the state what only readers of the past need: ended attempts and older events. */
export function takeSurplus(state: TaskState): Surplus {
  const cut = Math.max(0, state.log.events.length - limits.carriedEvents);
  const events = state.log.events.slice(0, cut);
  const isOpen = (index: number): boolean => {
    const record = state.log.records[index];
    if (record === undefined || state.log.lastRecord[record.subtask] !== index) return false;
    // A running attempt continues; a passed attempt that waits for a person may still be rejected.
    return (
      record.outcome === 'running' ||
      (record.outcome === 'passed' && !hasEnded(statusOf(subtaskOf(state, record.subtask))))
    );
  };
  const attempts = state.log.records.filter((_, index) => !isOpen(index)).map(showAttempt);
  const kept = state.log.records.filter((_, index) => isOpen(index));
  state.log.events = state.log.events.slice(cut);
  state.log.records = kept;
  state.log.lastRecord = {};
  for (const [index, { subtask }] of kept.entries()) setOwn(state.log.lastRecord, subtask, index);
  return { events, attempts };
}

export function packState(state: TaskState): CarriedState {
  const { current } = state.plan;
  return {
    version,
    state: { ...state, plan: { ...state.plan, current: current === null ? null : packPlan(current) } },
  };
}

/** Undefined: not a state that this version can go on with. */
export function unpackState(carried: unknown): TaskState | undefined {
  if (!isCarried(carried)) return undefined;
  const { state } = carried;
  const { current } = state.plan;
  try {
    return { ...state, plan: { ...state.plan, current: current === null ? null : unpackPlan(current) } };
  } catch {
    return undefined;
  }
}

type Group = { [Key in keyof TaskState]-?: TaskState[Key] extends object ? Key : never }[keyof TaskState];

/** A task is carried on only once it has a plan: from then on all of these are there. */
const lists: { [Key in Group]?: readonly (keyof TaskState[Key])[] } = {
  queue: ['ready', 'delayed', 'running'],
  decisions: ['open'],
  budget: ['warned'],
  log: ['records', 'events', 'refused'],
  control: ['steering'],
};
const tables: { [Key in Group]?: readonly (keyof TaskState[Key])[] } = {
  subtasks: [],
  plan: ['settings', 'current', 'index', 'dependents'],
  decisions: ['answered', 'standing'],
  budget: ['limits', 'used'],
  planner: [],
  log: ['lastRecord', 'learned', 'archive'],
};

function isCarried(value: unknown): value is CarriedState {
  if (!isPlainObject(value) || value['version'] !== version) return false;
  const { state } = value;
  return (
    isPlainObject(state) &&
    typeof state['id'] === 'string' &&
    holds(state, lists, Array.isArray) &&
    holds(state, tables, isPlainObject)
  );
}

const holds = (
  state: Record<string, unknown>,
  parts: Readonly<Record<string, readonly string[]>>,
  isPart: (part: unknown) => boolean,
): boolean =>
  Object.entries(parts).every(([key, names]) => {
    const group = state[key];
    return isPlainObject(group) && names.every((name) => isPart(group[name]));
  });
