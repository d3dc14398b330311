import type { Grant, GrantKey } from '../types/agent.ts';
import { limits } from '../limits/domain-limits.ts';
import type { PlanRow } from '../types/plan.ts';
import { computeRemaining } from './budget-limits.ts';
import { rowOf, subtaskOf } from '../task/read-state.ts';
import { grantOf, suspensionOf } from '../task/subtask-phase.ts';
import type { TaskState } from '../task/state.ts';

/*
 * An agent, say, spends while it runs, where no rule can stop it in time: so it is given beforehand what it may spend, and what one
 * holds is not free for another. What is used and what is held never add up to more than a limit.
 */

const grantKeys = ['modelCalls', 'toolCalls', 'mutations', 'tokens', 'costUsd'] as const satisfies readonly GrantKey[];

/** Those that a judge spends: it has no tools. */
const callKeys = ['modelCalls', 'tokens', 'costUsd'] as const satisfies readonly GrantKey[];

type Spender = 'executor' | 'judge';

/** The part of the subtask that would spend something if it started now: none where merely its verification is repeated. */
function findSpender(state: TaskState, id: string): Spender | null {
  switch (suspensionOf(subtaskOf(state, id))?.resumeFrom.phase ?? 'execute') {
    case 'execute':
      return rowOf(state, id).call.spends === true ? 'executor' : null;
    case 'verify':
      return null;
    case 'judge':
      return 'judge';
  }
}

/** True when a budget matters to it: it spends while it runs, or while it is judged. */
export const maySpend = ({ call, verification, whenUnchecked }: PlanRow): boolean =>
  call.spends === true || verification !== undefined || whenUnchecked === 'judge';

/** True when it would spend something if it started now. */
export const spends = (state: TaskState, id: string): boolean => findSpender(state, id) !== null;

/** The grant of a subtask, by the keys that have a limit. Null: nothing for now, it waits until others give back. */
export function grantFor(state: TaskState, id: string, spender = findSpender(state, id)): Grant | null {
  if (spender === null) return {};
  const keys = spender === 'judge' ? callKeys : grantKeys;
  if (!keys.some((key) => state.budget.limits[key] !== undefined)) return {};
  const free = freeFor(state, id, keys);
  if (Object.values(free).some((amount) => amount <= 0)) return null;
  // A share was too small for it: then it is given all there is, once no other subtask holds a part of that.
  if (suspensionOf(subtaskOf(state, id))?.needsFullGrant === true) return holders(state, id).length === 0 ? free : null;
  return splitGrant(state, free, sharers(state));
}

/** The default limit of a goal keeps nobody from starting: it is free for all that run at once, who may exceed it together. */
const isShared = ({ plan: { settings } }: TaskState, key: GrantKey): boolean =>
  key === 'costUsd' && settings?.goalLimit !== undefined;

/** The budget of which there is nothing for it. */
export function findShortage(state: TaskState, id: string): GrantKey | undefined {
  const free = freeFor(state, id, findSpender(state, id) === 'judge' ? callKeys : grantKeys);
  return grantKeys.find((key) => (free[key] ?? 1) <= 0) ?? scarcestBudget(state);
}

function freeFor(state: TaskState, id: string | null, keys: readonly GrantKey[] = grantKeys): Grant {
  const free: Grant = {};
  const held = [...holders(state, id), ...listAside(state)];
  for (const key of keys) {
    const limit = state.budget.limits[key];
    if (limit === undefined) continue;
    const others = isShared(state, key) ? [] : held;
    const spoken = others.reduce((sum, grant) => sum + (grant[key] ?? 0), state.budget.used[key] ?? 0);
    free[key] = computeRemaining(limit, spoken);
  }
  return free;
}

/** Grants of models that work aside: they reword questions, or learn lessons. */
const listAside = ({ planner: { rewordings = [], extractions = [] } }: TaskState): Grant[] =>
  [...rewordings, ...extractions].map(({ grant }) => grant);

/** Grants of others: a planner, those that run, and those whose last execution was lost without a word, which may have spent it. */
function holders(state: TaskState, asking: string | null): Grant[] {
  const held = [...state.queue.running, ...state.queue.delayed].flatMap((id) => {
    const grant = grantOf(subtaskOf(state, id));
    return grant === undefined || id === asking ? [] : [grant];
  });
  const planner = state.planner.replan?.grant ?? state.planner.abandonedGrant;
  return planner === undefined ? held : [...held, planner];
}

/** The grant of a planner: all that nobody holds, since nothing starts beside it. Null: nothing for now. */
export function grantForPlanner(state: TaskState): Grant | null {
  const free = freeFor(state, null, callKeys);
  return Object.values(free).some((amount) => amount <= 0) ? null : free;
}

/** The grant of a model that works aside, on words or lessons: a small part of the free budget. Null: too little. */
export function grantForAside(state: TaskState): Grant | null {
  const free = freeFor(state, null, callKeys);
  const grant: Grant = {};
  for (const key of callKeys) {
    const amount = free[key];
    if (amount === undefined) continue;
    const part = amount * limits.phrase.share;
    grant[key] = key === 'costUsd' ? part : Math.floor(part);
  }
  return Object.values(grant).some((amount) => amount <= 0) ? null : grant;
}

/** How many may start beside each other now: each of them is to find something. */
function sharers(state: TaskState): number {
  const slots = (state.plan.settings?.maxParallelSubtasks ?? 1) - state.queue.running.length;
  const waiting = [...state.queue.ready, ...state.queue.delayed].filter((id) => spends(state, id)).length;
  return Math.max(1, Math.min(slots, waiting));
}

function splitGrant(state: TaskState, free: Grant, among: number): Grant {
  const share: Grant = {};
  for (const key of grantKeys) {
    const amount = free[key];
    if (amount === undefined) continue;
    if (isShared(state, key)) share[key] = amount;
    else share[key] = key === 'costUsd' ? amount / among : Math.max(1, Math.floor(amount / among));
  }
  return share;
}

/** True when its grant was all there is: then no other would have been larger. */
export function hadFullGrant(state: TaskState, id: string): boolean {
  // Grants of others come back.
  if (holders(state, id).length > 0 || listAside(state).length > 0) return false;
  const grant = grantOf(subtaskOf(state, id)) ?? {};
  const free = freeFor(state, id);
  // A judge's has no part of what tools use.
  const keys = Object.hasOwn(grant, 'toolCalls') || Object.hasOwn(grant, 'mutations') ? grantKeys : callKeys;
  return keys.every((key) => free[key] === undefined || (grant[key] ?? 0) >= free[key]);
}

/** The key of whose limit the smallest part is left. */
export function scarcestBudget(state: TaskState): GrantKey | undefined {
  const part = (key: GrantKey): number =>
    (state.budget.used[key] ?? 0) / Math.max(state.budget.limits[key] ?? 0, Number.MIN_VALUE);
  const [first] = grantKeys
    .filter((key) => state.budget.limits[key] !== undefined)
    .sort((one, other) => part(other) - part(one));
  return first;
}
