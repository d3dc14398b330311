import { openItem } from '../task/read-state.ts';
import type { RunningTask } from '../task/running-task.ts';
import { endOwed } from './end-owed.ts';
import { failForGood } from './fail-for-good.ts';

/** Ends a subtask that nobody tries again: as failed, or, where its result was kept, with that and the evidence still owed. */
export function failSubtask(task: RunningTask, id: string, reason: string): void {
  const item = openItem(task.state, id);
  if (item === undefined) return failForGood(task, id, reason);
  endOwed(task, id, { type: 'remediation.failed', reason });
}
