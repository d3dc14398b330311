import { subtaskOf, type Stale } from './state.ts';
import type { Course } from './running-task.ts';

/** Ends what is behind something that came to nothing; what an older plan started ends as soon as it has stopped. */
export function endBehind(course: Course, id: string, reason: string, as: NonNullable<Stale['ends']>): void {
  if (subtaskOf(course.state, id).stale !== undefined)
    return course.record({ type: 'stale.ends', subtask: id, reason, as });
  if (as.type === 'subtask.skipped') return course.record({ type: as.type, subtask: id, reason });
  course.record({ type: as.type, subtask: id, reason, independent: as.independent, waits: false });
}
