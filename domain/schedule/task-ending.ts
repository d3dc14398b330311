import type { ErrorCode } from '../errors/error-codes.ts';
import type { EndState } from '../types/events.ts';
import { isBusy, mayNotStart, nextCheck } from './schedule.ts';
import { isLastTryDue, openItem, rowsOf, subtaskOf } from '../task/read-state.ts';
import { statusOf, passedOf } from '../task/subtask-phase.ts';
import type { TaskState } from '../task/state.ts';
import { hasEnded } from '../types/subtask.ts';
import { formatCount, formatList } from '../text/text.ts';

export interface Ending {
  state: EndState;
  reason: string;
  code?: ErrorCode;
}

/** How the task ends, once every subtask has; null while it goes on. A failed subtask never makes a completed task. */
export function ending(state: TaskState): Ending | null {
  // A new plan that was asked for may have more to do.
  if (state.plan.current === null || state.queue.unfinished > 0 || state.planner.replan !== undefined) return null;
  const {
    control: { cancelling, stopCode },
  } = state;
  // Another stop ends in Temporal's own words.
  if (cancelling !== null)
    return stopCode === undefined ? null : { state: 'failed', reason: cancelling, code: stopCode };
  const failed = idsWith(state, 'failed');
  const skipped = idsWith(state, 'skipped');
  const blocked = idsWith(state, 'blocked');
  if (failed.length + blocked.length > 0) {
    const parts = [
      ...(failed.length === 0 ? [] : [`${formatList(failed)} failed`]),
      ...(blocked.length === 0 ? [] : [`${formatList(blocked)} could not run`]),
    ];
    return { state: 'failed', reason: parts.join('; ') };
  }
  const unchecked = idsWith(state, 'completed').filter(
    (id) => passedOf(subtaskOf(state, id))?.verdict === 'unchecked',
  ).length;
  const owing = idsWith(state, 'completed').filter((id) => subtaskOf(state, id).remedy !== undefined);
  const done = formatCount(state.plan.current.rows.length - skipped.length, 'subtask');
  const parts = [
    `${done} done`,
    ...(skipped.length === 0 ? [] : [`${formatList(skipped)} skipped`]),
    ...(owing.length === 0 ? [] : [`${formatList(owing)} without all evidence`]),
    ...(unchecked === 0 ? [] : [`${unchecked} of ${formatCount(state.plan.current.rows.length, 'subtask')} unchecked`]),
  ];
  return { state: 'completed', reason: parts.join(', ') };
}

function idsWith(state: TaskState, status: string): string[] {
  return rowsOf(state)
    .map(({ id }) => id)
    .filter((id) => statusOf(subtaskOf(state, id)) === status);
}

/** Why nothing can go on although nothing waits for a person and nothing failed; empty when all is well. */
export function stalled(state: TaskState, now: number): string[] {
  if (
    state.plan.current === null ||
    state.queue.unfinished === 0 ||
    state.decisions.open.length > 0 ||
    mayNotStart(state) ||
    isBusy(state, now)
  )
    return [];
  // The grants of models that reword questions or plan come back.
  if (state.planner.rewordings !== undefined || state.planner.abandonedGrant !== undefined) return [];
  // These begin in the next pass.
  if (isLastTryDue(state)) return [];
  // A run that nears its end starts nothing more: the next one asks.
  if (state.queue.ready.some((id) => nextCheck(state, id) !== undefined)) return [];
  return rowsOf(state)
    .filter(({ id }) => !hasEnded(statusOf(subtaskOf(state, id))) && openItem(state, id) === undefined)
    .map(({ id, dependsOn, synthesis }) => {
      const missing = dependsOn.filter((dependency) => !hasEnded(statusOf(subtaskOf(state, dependency))));
      return `${id} waits for ${missing.length > 0 ? formatList(missing) : synthesis ? 'the other subtasks' : 'nothing that is known'}`;
    });
}
