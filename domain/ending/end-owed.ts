import { describeItem, openItem } from '../task/read-state.ts';
import type { RunningTask } from '../task/running-task.ts';
import { failForGood } from './fail-for-good.ts';

/** How an item ends although its evidence was not found. */
export type OwedEnd =
  | { type: 'remediation.failed' | 'remediation.expired'; reason: string }
  | { type: 'remediation.waived'; by: string | null };

/**
 * Ends an item that is not resolved. Its result stands and the subtask is completed in part; where the item blocks, the task stops, unless
 * a person waived it.
 */
export function endOwed(task: RunningTask, id: string, end: OwedEnd): void {
  const item = openItem(task.state, id);
  if (item === undefined) throw new Error(`${id} owes nothing`);
  task.record({ ...describeItem(id, item), ...end });
  if (item.blocking && end.type !== 'remediation.waived')
    return failForGood(task, id, `its evidence was not found: ${end.reason}`, 'REMEDIATION_UNRESOLVED');
  task.record({ type: 'subtask.completed', subtask: id, verdict: 'partial-verified' });
}
