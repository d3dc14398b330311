import type { AttemptView } from '../types/attempt-view.ts';
import type { LoggedEvent } from '../types/events.ts';

/** Counts of lessons in one task. */
export interface LessonFigures {
  learned: number;
  shown: number;
  helped: number;
}

/** A result that nothing checked is no pass, so it says of no lesson that it helped. */
const hasPassed = ({ outcome, verdict }: AttemptView): boolean =>
  outcome === 'passed' && (verdict === 'pass' || verdict === 'pass-with-warnings');

export function countLessons(records: readonly AttemptView[], events: readonly LoggedEvent[]): LessonFigures {
  const count = (own: readonly AttemptView[]): number => own.reduce((sum, { lessons = [] }) => sum + lessons.length, 0);
  return {
    learned: events.reduce((sum, event) => sum + (event.type === 'lesson.learned' ? event.lessons.length : 0), 0),
    shown: count(records),
    helped: count(records.filter(hasPassed)),
  };
}
