import type { RetryEntry } from '../../../domain/attempt/retry-entry.ts';
import type { LoggedEvent } from '../../../domain/types/events.ts';
import type { NewsLine } from '../../shared/worker-news.ts';

/** The log line of one event of a task. */
export function buildNewsLine(task: string, event: LoggedEvent, retry: readonly RetryEntry[]): NewsLine {
  const { id: eventId, type, text } = event;
  return {
    text,
    about: {
      task,
      event: type,
      eventId,
      ...('subtask' in event ? { subtask: event.subtask } : {}),
      ...('attempt' in event ? { attempt: event.attempt } : {}),
      ...(retry.length === 0 ? {} : { retry }),
    },
  };
}
