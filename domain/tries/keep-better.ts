import { lacksOnlyEvidence, listOwedTargets } from '../evidence/owed-targets.ts';
import { improves, mayOwe } from '../remediation/next-try.ts';
import { openItem, rowOf, subtaskOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { staleOf } from '../task/subtask-phase.ts';
import type { Verdict } from '../types/attempt.ts';
import type { Failure } from '../types/basic/failure.ts';
import { nextRung, waitsForWorld } from '../attempt/after-attempt.ts';

/*
 * A try to find owed evidence keeps the better result: its changes stay where it left less to find, and are undone otherwise. What was done
 * in a copy becomes part of the workspace as soon as it is kept.
 */

/** True where the changes of a failed try are undone: it has ended, and made nothing better. */
export function mustRevert(
  state: TaskState,
  id: string,
  { failure, isSpent, issues = [] }: { failure: Failure; isSpent: boolean; issues?: Verdict['issues'] },
): boolean {
  const item = openItem(state, id);
  if (item === undefined || staleOf(subtaskOf(state, id)) !== undefined) return false;
  if (waitsForWorld(state, id, failure, isSpent)) return false;
  return !(lacksOnlyEvidence(issues) && improves(item, { targets: listOwedTargets(issues) }));
}

/** True where work in a copy that misses only evidence is kept: it opens an item, or is better than what the item has. */
export function keepsCopy(
  state: TaskState,
  id: string,
  { issues, failure }: Pick<Verdict, 'issues' | 'failure'>,
): boolean {
  if (failure === null || rowOf(state, id).isolation === undefined || !lacksOnlyEvidence(issues)) return false;
  const item = openItem(state, id);
  if (item !== undefined) return improves(item, { targets: listOwedTargets(issues) });
  return mayOwe(state, id) && !isStopping(state) && nextRung(state, id, failure).kind !== 'climb';
}

const isStopping = ({ control }: TaskState): boolean => control.cancelling !== null || control.finishing;
