import { describeItem, openItem, recordOf } from '../task/read-state.ts';
import type { RunningTask } from '../task/running-task.ts';
import type { Verdict } from '../types/attempt.ts';

/** Completes a subtask with a result that passed, and tells first that the evidence which it owed is found, or its claims are gone. */
export function completePassed(task: RunningTask, id: string, verdict: Verdict['outcome'], by?: string): void {
  const item = openItem(task.state, id);
  if (item !== undefined) {
    const { confirmed = [] } = recordOf(task.state, id) ?? {};
    const how = confirmed.length > 0 ? 'confirmed' : 'pruned';
    task.record({ type: 'remediation.done', ...describeItem(id, item), how });
  }
  task.record({ type: 'subtask.completed', subtask: id, verdict, ...(by === undefined ? {} : { by }) });
}
