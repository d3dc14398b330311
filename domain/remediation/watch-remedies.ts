import { endOwed } from '../ending/end-owed.ts';
import { remediationsLeft } from '../schedule/budget-limits.ts';
import { isLastTryDue, listOpenItems, listParked, openItem, subtaskOf } from '../task/read-state.ts';
import type { RunningTask } from '../task/running-task.ts';
import type { TaskState } from '../task/state.ts';
import { expiredReason, isExpired, noBudgetReason } from './next-try.ts';

/** Ends items whose time or budget is over, and offers the last tries. A try that runs, or waits for a person, comes to its own end first. */
export function watchRemedies(task: RunningTask): void {
  const { state, now } = task;
  if (listOpenItems(state).length === 0 || state.control.paused !== null) return;
  for (const id of listOpenItems(state)) {
    if (state.control.cancelling !== null) return;
    const item = openItem(state, id);
    if (item === undefined || !isIdle(state, id)) continue;
    if (isExpired(item, now)) endOwed(task, id, { type: 'remediation.expired', reason: expiredReason });
    else if (remediationsLeft(state) <= 0 && item.granted !== true)
      endOwed(task, id, { type: 'remediation.failed', reason: noBudgetReason });
  }
  if (state.control.cancelling !== null || !isLastTryDue(state)) return;
  for (const subtask of listParked(state)) task.record({ type: 'remediation.last', subtask });
}

/** No try of it is under way. */
function isIdle(state: TaskState, id: string): boolean {
  const { name } = subtaskOf(state, id).phase;
  return name === 'ready' || name === 'delayed' || name === 'parked';
}
