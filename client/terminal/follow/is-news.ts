import type { EventOfTask } from '../../../workflows/task/messages.ts';

/** True for events that people see: the start and the end of a subtask that goes well say enough. */
export function isNews(event: EventOfTask): boolean {
  switch (event.type) {
    case 'attempt.started':
      return event.attempt > 1;
    case 'attempt.passed':
    case 'plan.resumed':
      return false;
    case 'verdict':
      // A failed check is shown with what follows from it.
      return event.outcome !== 'pass' && event.outcome !== 'fail';
    default:
      return true;
  }
}
