import type { EventOfTask } from '../../workflows/task/messages.ts';
import type { Gap } from '../follow/read-pages.ts';
import type { TaskFeed } from './task-feed.ts';

/**
 * Options of {@link TaskHandle.follow}.
 *
 * @example
 * ```ts
 * for await (const event of task.follow({ since: 12 })) console.log(event.id, event.text);
 * ```
 */
export interface FollowOptions {
  /** Events after this number. */
  since?: number;
  /** Ends the following when it is aborted. */
  signal?: AbortSignal;
  /** Called with a reason when events cannot be read for a while, and with undefined when they can again. */
  onTrouble?: (what: string | undefined) => void;
  /** Called with the numbers of events that only another store has, before the event that follows them. */
  onMissing?: (gap: Gap) => void | Promise<void>;
}

/** The events of a feed alone; the rest of its news goes to the callbacks. */
export async function* followFeed(
  feed: TaskFeed,
  { since = 0, signal, onTrouble, onMissing }: FollowOptions = {},
): AsyncGenerator<EventOfTask, void, undefined> {
  for await (const news of feed.read({ since, ...(signal === undefined ? {} : { signal }) })) {
    if (news.kind === 'event') yield news.event;
    if (news.kind === 'gap') await onMissing?.(news.gap);
    if (news.kind === 'trouble') onTrouble?.(news.trouble);
  }
}
