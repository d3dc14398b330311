import { subtaskOf } from '../task/read-state.ts';
import { staleOf, type Stale } from '../task/subtask-phase.ts';
import type { RunningTask } from '../task/running-task.ts';

/** Ends what is behind something that came to nothing; what an older plan started ends as soon as it has stopped. */
export function endBehind(task: RunningTask, id: string, reason: string, as: NonNullable<Stale['ends']>): void {
  if (staleOf(subtaskOf(task.state, id)) !== undefined)
    return task.record({ type: 'stale.end-planned', subtask: id, reason, as });
  if (as.type === 'subtask.skipped') return task.record({ type: as.type, subtask: id, reason });
  task.record({ type: as.type, subtask: id, reason, independent: as.independent, waits: false });
}
