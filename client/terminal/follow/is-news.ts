import type { EventOfTask } from '../../../workflows/task/messages.ts';

/** Whether people are told: of a subtask that goes well its start and its end say enough. */
export function isNews(event: EventOfTask): boolean {
  switch (event.type) {
    case 'attempt.started':
      return event.attempt > 1;
    case 'attempt.passed':
      return false;
    case 'verdict':
      // What failed is told with what follows from it.
      return event.outcome !== 'pass' && event.outcome !== 'fail';
    default:
      return true;
  }
}
