import type { PlanRow } from '../types/plan.ts';
import { hasEnded } from '../types/subtask.ts';
import { setOwn } from '../util/own-property.ts';
import { climbAfterReplan, reduceLadder } from '../recovery/ladder.ts';
import type { EventOf } from '../types/events.ts';
import { newSubtask } from './subtask-state.ts';
import { putRecord } from './records.ts';
import { endReplan } from './reduce-planner.ts';
import { forgetAttempt } from './reduce-stale.ts';
import { reindex } from './reindex.ts';
import { limitsOf, recordOf, rowsOf, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';
import type { SubtaskState } from './subtask-state.ts';

/**
 * The plan is another one from here on. Ids keep their places, so that whatever refers to one still does; what has ended stays as it ended, and
 * attempts are counted on.
 */
export function replacePlan(state: TaskState, { plan, changes }: EventOf<'plan.replaced'>, now: number): void {
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
  endReplan(state);
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
  forgetAttempt(subtask);
}
