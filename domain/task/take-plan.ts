import type { TaskEvent } from '../types/events.ts';
import type { Plan, PlanRow } from '../types/plan.ts';
import type { TaskSettings } from '../types/task-settings.ts';
import { isOptionId } from '../decisions/options/decision-kinds.ts';
import { limits } from '../limits/domain-limits.ts';
import { setOwn } from '../util/own-property.ts';
import { firstClimb } from '../recovery/ladder.ts';
import { reindex } from './reindex.ts';
import type { TaskState } from './state.ts';
import type { SubtaskState } from './subtask-state.ts';

type EventOf<Type extends TaskEvent['type']> = TaskEvent & { type: Type };

type PlanEvent = EventOf<'settings.ready' | 'plan.ready' | 'plan.degraded' | 'plan.rejected' | 'planner.used'>;

/** What happens to the plan before anything runs. */
export function changePlan(state: TaskState, event: PlanEvent): void {
  switch (event.type) {
    case 'settings.ready':
      return takeSettings(state, event.settings);
    case 'plan.ready':
      return takePlan(state, event);
    case 'plan.degraded':
      state.plan.degraded = true;
      return;
    case 'plan.rejected':
      return rejectPlan(state, event);
    case 'planner.used':
      return countPlanner(state, event);
  }
}

/** It is planned again with what was said; until then nothing starts. */
function rejectPlan(state: TaskState, event: EventOf<'plan.rejected'>): void {
  const { feedback = [], round = 1 } = state.planner.revision ?? {};
  state.planner.revision = {
    feedback: [...feedback, event.feedback].slice(-limits.planner.comments),
    round: round + 1,
    isWanted: true,
  };
  state.control.phase = 'planning';
  delete state.plan.degraded;
}

/** The task has its setting and its plan: everything that depends on nothing is ready. A later plan takes the place of one of which nothing has run. */
function takePlan(state: TaskState, { settings, plan }: EventOf<'plan.ready'>): void {
  if (state.planner.revision !== undefined) state.planner.revision.isWanted = false;
  if (state.plan.settings === null) takeSettings(state, settings);
  state.plan.current = plan;
  state.control.phase = 'running';
  layOut(state, plan);
}

function takeSettings(state: TaskState, settings: TaskSettings): void {
  state.plan.settings = settings;
  state.budget.limits = { ...settings.budget };
  for (const { signature, option, instruction, by } of settings.memory?.answers ?? []) {
    // An answer of a later version that this one does not know is as good as none.
    if (!isOptionId(option)) continue;
    setOwn(state.decisions.standing, signature, {
      option,
      ...(instruction === undefined ? {} : { instruction }),
      ...(by === undefined ? {} : { by }),
    });
  }
}

function layOut(state: TaskState, plan: Plan): void {
  Object.assign(state, { subtasks: {}, ready: [], delayed: [] });
  for (const row of plan.rows) setOwn(state.subtasks, row.id, newSubtask(row));
  reindex(state);
}

/** Of the same budget as the work. */
function countPlanner(state: TaskState, { used, models }: EventOf<'planner.used'>): void {
  for (const key of ['costUsd', 'tokens', 'modelCalls'] as const) {
    const more = (used[key] ?? 0) - (state.planner.spent?.used[key] ?? 0);
    if (more > 0) state.budget.used[key] = (state.budget.used[key] ?? 0) + more;
  }
  state.planner.spent = { used, models };
  // What it did not spend is free again.
  delete state.planner.replan?.grant;
  delete state.planner.abandonedGrant;
}

/** One of which nothing has run. */
export function newSubtask(row: PlanRow): SubtaskState {
  return {
    id: row.id,
    status: 'pending',
    waitsFor: row.dependsOn.length,
    climb: firstClimb(row.maxAttempts),
    suspended: null,
    notBefore: null,
    environmentWaits: 0,
    guidance: [],
    hint: null,
    strategy: 'first',
    decision: null,
    decisions: 0,
    verdict: null,
    result: null,
    failures: [],
    met: [],
    failed: {},
    spent: { attempts: 0, costUsd: 0, ms: 0 },
    reason: null,
    startedAt: null,
    endedAt: null,
  };
}
