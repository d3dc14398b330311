import type { StatusView } from '../../domain/views/task-status.ts';
import type { EventOfTask } from '../../workflows/task/messages.ts';
import type { Gap, Stretch } from '../follow/read-pages.ts';
import type { HistoryPoll } from './history-poll.ts';
import type { LiveActivity } from './live-activity.ts';

/** How a feed asks its task. Calls are given up when the signal is aborted. */
export interface FeedSource {
  poll: HistoryPoll;
  /** A page of the events after a number that the task holds; empty at the end. */
  page: (since: number, signal: AbortSignal) => Promise<EventOfTask[]>;
  /** Events that older runs moved to the store, between two numbers (both not included). */
  archived: (between: { after: number; before: number }, signal: AbortSignal) => Promise<Stretch<EventOfTask>>;
  status: () => Promise<StatusView>;
  activity: () => Promise<LiveActivity[]>;
  /** Turns an error that lasts into the one that readers get. */
  explain: (error: unknown) => unknown;
}

/**
 * A piece of news that a {@link TaskFeed} has for a reader: an event; a range of events that only another store has, before the event
 * that follows them; the newest status; the newest lines of running attempts; or why nothing can be read for a while, which is
 * undefined once it can be read again. A slow reader misses older statuses and lines, and no event.
 *
 * @example
 * ```ts
 * const show = (news: TaskNews): void => {
 *   if (news.kind === 'event') console.log(news.event.text);
 *   if (news.kind === 'status') console.log(news.status.summary);
 * };
 * ```
 */
export type TaskNews =
  | { kind: 'event'; event: EventOfTask }
  | { kind: 'gap'; gap: Gap }
  | { kind: 'status'; status: StatusView }
  | { kind: 'activity'; activity: readonly LiveActivity[] }
  | { kind: 'trouble'; trouble: string | undefined };

/**
 * The options of {@link TaskFeed.read}.
 *
 * @example
 * ```ts
 * const options: ReadOptions = { since: 12, status: true };
 * ```
 */
export interface ReadOptions {
  /** Events after this number; all by default. A number that the task has not reached yet is waited for. */
  since?: number;
  /** Ends the reading when it is aborted. */
  signal?: AbortSignal;
  /** Also the status, after each change and at most four times a second. */
  status?: boolean;
  /** Also the newest lines of running attempts, once a second. */
  activity?: boolean;
}
