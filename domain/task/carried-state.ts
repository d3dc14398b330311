import type { PackedPlan } from '../types/plan.ts';
import { packPlan, unpackPlan } from '../plan/pack-plan.ts';
import { setOwn } from '../util/own-property.ts';
import { hasEnded, subtaskOf, type TaskState } from './state.ts';
import { showAttempt } from './records.ts';
import type { AttemptView } from '../types/attempt-view.ts';
import type { LoggedEvent } from '../types/events.ts';
import { limits } from '../limits/domain-limits.ts';

/** Grows by one whenever a carried state of the version before could not be read any more. */
const version = 1;

/** A state on its way from one run of the workflow to the next. */
export interface CarriedState {
  version: number;
  state: Omit<TaskState, 'plan'> & { plan: PackedPlan | null };
}

/** What the next run does not need: it goes to the store. */
export interface Surplus {
  events: LoggedEvent[];
  attempts: AttemptView[];
}

/** Takes out of the state what only readers of the past need: ended attempts and older events. */
export function takeSurplus(state: TaskState): Surplus {
  const cut = Math.max(0, state.events.length - limits.carriedEvents);
  const events = state.events.slice(0, cut);
  const isOpen = (index: number): boolean => {
    const record = state.records[index];
    if (record === undefined || state.lastRecord[record.subtask] !== index) return false;
    // One that runs goes on; one that passed and waits for a person may still be rejected.
    return (
      record.outcome === 'running' ||
      (record.outcome === 'passed' && !hasEnded(subtaskOf(state, record.subtask).status))
    );
  };
  const attempts = state.records.filter((_, index) => !isOpen(index)).map(showAttempt);
  const kept = state.records.filter((_, index) => isOpen(index));
  state.events = state.events.slice(cut);
  state.records = kept;
  state.lastRecord = {};
  for (const [index, { subtask }] of kept.entries()) setOwn(state.lastRecord, subtask, index);
  return { events, attempts };
}

export function packState({ plan, ...state }: TaskState): CarriedState {
  return { version, state: { ...state, plan: plan === null ? null : packPlan(plan) } };
}

/** Undefined: not a state that this version can go on with. */
export function unpackState(carried: unknown): TaskState | undefined {
  if (!isCarried(carried)) return undefined;
  const { plan, ...state } = carried.state;
  try {
    return { ...state, plan: plan === null ? null : unpackPlan(plan) };
  } catch {
    return undefined;
  }
}

/** A task is carried on only once it has a plan: from then on all of these are there. */
const lists = ['ready', 'delayed', 'running', 'records', 'decisions', 'events', 'steering', 'warned', 'refused'];
const tables = ['subtasks', 'index', 'dependents', 'lastRecord', 'answered', 'standing', 'learned', 'used', 'budget'];

function isCarried(value: unknown): value is CarriedState {
  if (typeof value !== 'object' || value === null || !('version' in value) || value.version !== version) return false;
  if (!('state' in value) || typeof value.state !== 'object' || value.state === null) return false;
  const { state } = value;
  const parts = state as Record<string, unknown>;
  const isObject = (part: unknown): boolean => typeof part === 'object' && part !== null && !Array.isArray(part);
  return (
    typeof parts['id'] === 'string' &&
    (['setting', 'plan'] as const).every((key) => isObject(parts[key])) &&
    lists.every((key) => Array.isArray(parts[key])) &&
    tables.every((key) => isObject(parts[key]))
  );
}
