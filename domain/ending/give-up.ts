import { describeItem, openItem, subtaskOf } from '../task/read-state.ts';
import type { RunningTask } from '../task/running-task.ts';
import { endOwed } from './end-owed.ts';

/** A person goes on without the rest of a subtask: it is skipped, or completed with the evidence that it owes waived. */
export function giveUp(task: RunningTask, id: string, reason: string, by: string | undefined): void {
  if (openItem(task.state, id) !== undefined) return endOwed(task, id, { type: 'remediation.waived', by: by ?? null });
  task.record({ type: 'subtask.skipped', subtask: id, reason });
}

/** The task stops: a subtask that has not ended is skipped. A result that others were given stays, unless its evidence is needed. */
export function leaveUnfinished(task: RunningTask, id: string, reason: string): void {
  const item = openItem(task.state, id);
  if (item === undefined) return task.record({ type: 'subtask.skipped', subtask: id, reason });
  task.record({ type: 'remediation.dropped', ...describeItem(id, item), reason });
  if (subtaskOf(task.state, id).released === true && !item.blocking)
    return task.record({ type: 'subtask.completed', subtask: id, verdict: 'partial-verified' });
  task.record({ type: 'subtask.skipped', subtask: id, reason });
}
