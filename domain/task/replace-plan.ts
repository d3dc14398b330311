import type { TaskEvent, WantedPlan } from '../types/events.ts';
import type { PlanRow } from '../types/plan.ts';
import { setOwn } from '../util/own-property.ts';
import { climbAfterReplan, reduceLadder } from '../recovery/ladder.ts';
import { leaveSlot, makeReady } from './queues.ts';
import { putRecord } from './records.ts';
import { reindex } from './reindex.ts';
import { limitsOf, recordOf, rowsOf, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';
import type { SubtaskState } from './subtask-state.ts';
import { hasEnded } from '../types/subtask.ts';
import { newSubtask } from './take-plan.ts';

type EventOf<Type extends TaskEvent['type']> = TaskEvent & { type: Type };

type ReplanEvent = EventOf<
  | 'plan.replaced'
  | 'plan.normalised'
  | 'replan.asked'
  | 'replan.started'
  | 'replan.failed'
  | 'stale.ends'
  | 'outcome.stale'
>;

/** What happens to the plan once it runs. Called by `apply` alone. */
export function changeByReplan(state: TaskState, event: ReplanEvent, now: number): void {
  switch (event.type) {
    case 'plan.replaced':
      return replacePlan(state, event, now);
    case 'plan.normalised':
      return normalisePlan(state, event);
    case 'replan.asked':
      return wantPlan(state, event);
    case 'replan.started':
      return startPlanning(state, event);
    case 'replan.failed':
      return endPlanning(state);
    case 'stale.ends':
      return endWithStale(state, event);
    case 'outcome.stale':
      return dropOutcome(state, event, now);
  }
}

/** What is asked for while a planner works is for the next one: this one does not know of it. A task that ends has no use for a plan. */
function wantPlan(state: TaskState, { wanted }: EventOf<'replan.asked'>): void {
  const {
    planner: { replan },
    control: { cancelling, finishing },
  } = state;
  if (cancelling !== null || finishing) return;
  if (replan === undefined) state.planner.replan = { wanted, runs: 0 };
  else if (replan.grant === undefined) replan.wanted = together(replan.wanted, wanted);
  else replan.next = replan.next === undefined ? wanted : together(replan.next, wanted);
}

const together = (one: WantedPlan, other: WantedPlan): WantedPlan => ({
  ...other,
  subtasks: [...new Set([...one.subtasks, ...other.subtasks])],
});

function startPlanning(state: TaskState, { grant }: EventOf<'replan.started'>): void {
  if (state.planner.replan === undefined) throw new Error('nobody asked for a new plan');
  state.planner.replan.grant = grant;
  state.planner.replan.runs += 1;
  state.planner.rounds = (state.planner.rounds ?? 0) + 1;
}

function endPlanning(state: TaskState): void {
  const next = state.planner.replan?.next;
  if (next === undefined) delete state.planner.replan;
  else state.planner.replan = { wanted: next, runs: 0 };
}

/**
 * The plan is another one from here on. Ids keep their places, so that whatever refers to one still does; what has ended stays as it ended, and
 * attempts are counted on.
 */
function replacePlan(state: TaskState, { plan, changes }: EventOf<'plan.replaced'>, now: number): void {
  const before = rowsOf(state);
  const { version } = plan;
  checkPlaces(state, plan.rows);
  const superseded = new Map(changes.superseded.map(({ id, reason }) => [id, reason]));
  const retargeted = new Set([...changes.retargeted, ...begunTooEarly(state, plan.rows)]);
  const old = state.plan.current?.version ?? 0;
  state.plan.current = plan;
  for (const [index, row] of plan.rows.entries()) {
    const was = before[index];
    if (was === undefined) {
      setOwn(state.subtasks, row.id, { ...newSubtask(row), version });
      continue;
    }
    const subtask = subtaskOf(state, row.id);
    const reason = superseded.get(row.id);
    if (reason === undefined && !retargeted.has(row.id)) continue;
    if (hasEnded(subtask.status)) throw new Error(`the new plan changes ${row.id}, which is ${subtask.status}`);
    if (subtask.status === 'running')
      subtask.stale ??= { version: subtask.version ?? old, deliverables: was.deliverables };
    if (reason !== undefined) {
      if (subtask.stale !== undefined) subtask.stale.superseded = reason;
      continue;
    }
    subtask.version = version;
    retarget(state, subtask, { was, row });
    if (subtask.status !== 'running') layAside(state, subtask, now);
  }
  reindex(state);
  state.plan.versions = [...(state.plan.versions ?? []), { version, at: now, ...changes }];
  state.budget.used.replans = (state.budget.used.replans ?? 0) + 1;
  endPlanning(state);
}

function checkPlaces(state: TaskState, rows: readonly PlanRow[]): void {
  for (const [index, { id }] of rowsOf(state).entries())
    if (rows[index]?.id !== id) throw new Error(`the new plan has lost ${id}`);
}

/** A synthesis works on what all others made: with others to come, what it has begun is worth nothing. */
function begunTooEarly(state: TaskState, rows: readonly PlanRow[]): string[] {
  const rowCount = rowsOf(state).length;
  if (!rows.slice(rowCount).some(({ synthesis }) => !synthesis)) return [];
  return rows
    .slice(0, rowCount)
    .filter(({ id, synthesis }) => {
      const { status, suspended, result, stale } = subtaskOf(state, id);
      if (!synthesis || hasEnded(status) || stale?.superseded !== undefined) return false;
      return status === 'running' || suspended !== null || result !== null;
    })
    .map(({ id }) => id);
}

function retarget(state: TaskState, subtask: SubtaskState, { was, row }: { was: PlanRow; row: PlanRow }): void {
  const ladder = state.plan.settings?.ladder ?? [];
  subtask.climb = climbAfterReplan(
    subtask.climb,
    {
      before: reduceLadder(was.ladder ?? ladder, was.tier),
      after: reduceLadder(row.ladder ?? ladder, row.tier),
      maxAttempts: row.maxAttempts,
    },
    limitsOf(state),
  );
  // A program that a person let run is another one now.
  delete subtask.permit;
}

/** What it had begun or asked was about something else. */
function layAside(state: TaskState, subtask: SubtaskState, now: number): void {
  const record = recordOf(state, subtask.id);
  if (record?.outcome === 'running' || record?.outcome === 'passed')
    putRecord(state, { ...record, outcome: 'cancelled', endedAt: new Date(now).toISOString() });
  // Their ids are used up: a late answer must not be taken for that of another question.
  const at = new Date(now).toISOString();
  for (const { id } of state.decisions.open.filter((open) => open.subtask === subtask.id))
    setOwn(state.decisions.answered, id, { option: 'replan', by: 'the new plan', at, updateId: null });
  state.decisions.open = state.decisions.open.filter((open) => open.subtask !== subtask.id);
  subtask.status = 'pending';
  subtask.notBefore = null;
  forget(subtask);
}

function forget(subtask: SubtaskState): void {
  subtask.decision = null;
  subtask.suspended = null;
  subtask.result = null;
  subtask.verdict = null;
  subtask.environmentWaits = 0;
  if (subtask.climb.attempts > 0) subtask.strategy = 'feedback';
  delete subtask.grant;
  delete subtask.resume;
  delete subtask.diagnosis;
}

/** Flags that keep a plan from going on are taken back. */
function normalisePlan(state: TaskState, { demoted }: EventOf<'plan.normalised'>): void {
  if (state.plan.current === null) return;
  const rows = state.plan.current.rows.map((row) => (demoted.includes(row.id) ? { ...row, synthesis: false } : row));
  state.plan.current = { ...state.plan.current, rows };
  reindex(state);
}

function endWithStale(state: TaskState, { subtask, reason, as }: EventOf<'stale.ends'>): void {
  const { stale } = subtaskOf(state, subtask);
  if (stale === undefined) throw new Error(`${subtask} is not of an older plan`);
  // Whatever comes first is the reason.
  if (stale.superseded !== undefined) return;
  stale.superseded = reason;
  stale.ends = as;
}

/** It has stopped: its slot is free, and the subtask starts as the new plan has it, unless that has none. */
function dropOutcome(state: TaskState, { subtask: id, files }: EventOf<'outcome.stale'>, now: number): void {
  const subtask = subtaskOf(state, id);
  const record = recordOf(state, id);
  if (record !== undefined)
    putRecord(state, { ...record, files, outcome: 'cancelled', endedAt: new Date(now).toISOString() });
  leaveSlot(state, id);
  forget(subtask);
  delete subtask.stale;
  if (subtask.waitsFor === 0) makeReady(state, subtask, null);
  else subtask.status = 'pending';
}
