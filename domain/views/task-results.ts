import { limits } from '../limits/domain-limits.ts';
import { rowsOf, subtaskOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { passedOf, reasonOf, statusOf } from '../task/subtask-phase.ts';
import { clip, fitsBytes } from '../text/text.ts';
import type { Verdict } from '../types/attempt.ts';
import type { Ref } from '../types/basic/ref.ts';
import type { SubtaskStatus } from '../types/subtask.ts';

/**
 * One subtask of a {@link TaskResult}: how it ended, and where its result is.
 *
 * @example
 * ```ts
 * const { subtasks } = await task.result();
 * for (const { id, state, notes, deliverables } of subtasks) console.log(id, state, notes, deliverables);
 * ```
 */
export interface SubtaskResult {
  id: string;
  state: SubtaskStatus;
  verdict: Verdict['outcome'] | null;
  /** Its own account of its work, shortened; for a subtask that did not complete, the reason. */
  notes: string;
  /** Files that the plan names, and those that it says it touched; paths inside the workspace. */
  deliverables: string[];
  /** The whole result in the store of the task's host: all notes, files with their hashes, its output. */
  result: Ref | null;
}

/** Results of all subtasks in plan order, and whether parts of them did not fit. */
export interface TaskResults {
  subtasks: SubtaskResult[];
  /** Notes and deliverables are left out, because they did not fit into one value of the history. */
  omitted?: true;
}

/** The results that a task hands to its caller, in at most half of what the server takes for one value. */
export function listTaskResults(state: TaskState): TaskResults {
  const subtasks = rowsOf(state).map(({ id, deliverables }) => describeResult(state, id, deliverables));
  if (fitsBytes(JSON.stringify(subtasks), limits.answerBytes)) return { subtasks };
  return { subtasks: subtasks.map((subtask) => ({ ...subtask, notes: '', deliverables: [] })), omitted: true };
}

function describeResult(state: TaskState, id: string, planned: readonly string[]): SubtaskResult {
  const subtask = subtaskOf(state, id);
  const passed = passedOf(subtask);
  const { notes, touched = [] } = passed?.result ?? {};
  return {
    id,
    state: statusOf(subtask),
    verdict: passed?.verdict ?? null,
    notes: notes ?? clip(reasonOf(subtask) ?? '', limits.summary),
    deliverables: [...planned, ...touched],
    result: passed?.result.ref ?? null,
  };
}
