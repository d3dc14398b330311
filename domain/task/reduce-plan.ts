import type { Plan } from '../types/plan.ts';
import type { TaskSettings } from '../types/task-settings.ts';
import { isOptionId } from '../decisions/options/decision-kinds.ts';
import { setOwn } from '../util/own-property.ts';
import type { EventOf } from '../types/events.ts';
import { limits } from '../limits/domain-limits.ts';
import { clip } from '../text/text.ts';
import { newSubtask } from './subtask-state.ts';
import { reindex } from './reindex.ts';
import { replacePlan } from './replace-plan.ts';
import type { TaskState } from './state.ts';

/** Gives the task its settings and its plans. Called by `apply` alone. */
export function reducePlan(
  state: TaskState,
  event: EventOf<'settings.ready' | 'plan.ready' | 'plan.degraded' | 'plan.replaced' | 'plan.normalised'>,
  now: number,
): void {
  switch (event.type) {
    case 'settings.ready':
      return takeSettings(state, event.settings);
    case 'plan.ready':
      return takePlan(state, event);
    case 'plan.degraded':
      return degradePlan(state);
    case 'plan.replaced':
      return replacePlan(state, event, now);
    case 'plan.normalised':
      return normalisePlan(state, event);
  }
}

/** The task has its setting and its plan: everything that depends on nothing is ready. A later plan takes the place of one of which nothing has run. */
function takePlan(state: TaskState, { settings, plan }: EventOf<'plan.ready'>): void {
  if (state.planner.revision !== undefined) state.planner.revision.isWanted = false;
  delete state.planner.wait;
  if (state.plan.settings === null) takeSettings(state, settings);
  state.plan.current = plan;
  state.control.phase = 'running';
  layOut(state, plan);
}

function takeSettings(state: TaskState, settings: TaskSettings): void {
  state.plan.settings = settings;
  // The goal of a process is known once it was read.
  if (settings.process !== undefined) state.goal = clip(settings.goal, limits.goal);
  const { budget, goalLimit } = settings;
  state.budget.limits = { ...budget, ...(goalLimit === undefined ? {} : { costUsd: goalLimit.costUsd }) };
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
  state.subtasks = {};
  state.queue.ready = [];
  state.queue.delayed = [];
  for (const row of plan.rows) setOwn(state.subtasks, row.id, newSubtask(row));
  reindex(state, 'plan.ready');
}

function degradePlan(state: TaskState): void {
  state.plan.degraded = true;
}

/** Flags that keep a plan from going on are taken back. */
function normalisePlan(state: TaskState, { demoted }: EventOf<'plan.normalised'>): void {
  if (state.plan.current === null) return;
  const rows = state.plan.current.rows.map((row) => (demoted.includes(row.id) ? { ...row, synthesis: false } : row));
  state.plan.current = { ...state.plan.current, rows };
  reindex(state, 'plan.normalised');
}
