import type { PlanRow } from '../types/plan.ts';
import { hasEnded } from '../types/subtask.ts';
import { setOwn } from '../util/own-property.ts';
import { climbAfterReplan, reduceLadder } from '../recovery/ladder.ts';
import type { EventOf } from '../types/events.ts';
import { enterPhase } from './enter-phase.ts';
import { passedOf, staleOf, statusOf, suspensionOf } from './subtask-phase.ts';
import { newSubtask, type SubtaskState } from './subtask-state.ts';
import { putRecord } from './records.ts';
import { endReplan } from './reduce-planner.ts';
import { limitsOf, listDroppedItems, openDependents, recordOf, rowsOf, subtaskOf } from './read-state.ts';
import { forgetItem } from './reduce-remedy.ts';
import { forgetAttempt } from './reduce-stale.ts';
import { reindex } from './reindex.ts';
import type { TaskState } from './state.ts';

/**
 * The plan is another one from here on. Ids keep their places, so that whatever refers to one still does; what has ended stays as it ended, and
 * attempts are counted on.
 */
export function replacePlan(state: TaskState, { plan, changes }: EventOf<'plan.replaced'>, now: number): void {
  const before = rowsOf(state);
  const { version } = plan;
  checkPlaces(state, plan.rows);
  const superseded = new Map(changes.superseded.map(({ id, reason }) => [id, reason]));
  const dropped = listDroppedItems(state, changes);
  const retargeted = new Set([
    ...changes.retargeted,
    ...begunTooEarly(state, plan.rows),
    ...begunOnDropped(state, dropped),
  ]);
  for (const id of dropped) forgetItem(state, subtaskOf(state, id));
  const old = state.plan.current?.version ?? 0;
  state.plan.current = plan;
  for (const [index, row] of plan.rows.entries()) {
    const was = before[index];
    if (was === undefined) {
      setOwn(state.subtasks, row.id, { ...newSubtask(row), planVersion: version });
      continue;
    }
    const subtask = subtaskOf(state, row.id);
    const reason = superseded.get(row.id);
    if (reason === undefined && !retargeted.has(row.id)) continue;
    const { phase } = subtask;
    if (hasEnded(statusOf(subtask))) throw new Error(`the new plan changes ${row.id}, which is ${phase.name}`);
    if (phase.name === 'running') {
      phase.stale ??= { version: subtask.planVersion ?? old, deliverables: was.deliverables };
      if (reason !== undefined) phase.stale.superseded = reason;
    }
    if (reason !== undefined) continue;
    subtask.planVersion = version;
    retarget(state, subtask, { was, row });
    if (phase.name !== 'running') layAside(state, subtask, now);
  }
  reindex(state, 'plan.replaced');
  state.plan.versions = [...(state.plan.versions ?? []), { version, at: now, ...changes }];
  state.budget.used.replans = (state.budget.used.replans ?? 0) + 1;
  endReplan(state);
}

/** Those that work, or worked, with a result that counts no more. */
function begunOnDropped(state: TaskState, dropped: readonly string[]): string[] {
  const released = dropped.filter((id) => subtaskOf(state, id).released === true);
  return released.flatMap((id) => openDependents(state, id)).filter((id) => hasBegun(subtaskOf(state, id)));
}

const hasBegun = ({ phase }: SubtaskState): boolean => phase.name !== 'waiting' && phase.name !== 'ready';

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
      const subtask = subtaskOf(state, id);
      if (!synthesis || hasEnded(statusOf(subtask)) || staleOf(subtask)?.superseded !== undefined) return false;
      const { phase } = subtask;
      return phase.name === 'running' || suspensionOf(subtask) !== undefined || passedOf(subtask) !== undefined;
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

/** Its open attempt and its question were about something else. */
function layAside(state: TaskState, subtask: SubtaskState, now: number): void {
  const record = recordOf(state, subtask.id);
  if (record?.outcome === 'running' || record?.outcome === 'passed')
    putRecord(state, { ...record, outcome: 'cancelled', endedAt: new Date(now).toISOString() });
  // Their ids are used up: a late answer must not be taken for that of another question.
  const at = new Date(now).toISOString();
  for (const { id } of state.decisions.open.filter((open) => open.subtask === subtask.id))
    setOwn(state.decisions.answered, id, { option: 'replan', by: 'the new plan', at, updateId: null });
  state.decisions.open = state.decisions.open.filter((open) => open.subtask !== subtask.id);
  const { phase } = subtask;
  // A subtask that was ready keeps its place; `reindex` queues the others.
  if (phase.name === 'suspended' && phase.notBefore === null)
    enterPhase(state, subtask, 'plan.replaced', { name: 'ready' });
  else if (phase.name !== 'waiting' && phase.name !== 'ready')
    enterPhase(state, subtask, 'plan.replaced', { name: 'waiting' });
  forgetAttempt(subtask);
}
