import { clientLimits } from '../limits/client-limits.ts';
import { TaskFeed } from './task-feed.ts';
import type { FeedSource } from './task-news.ts';

/** The live feeds of a client, one for each task that somebody follows or followed a moment ago. */
export class TaskFeeds {
  readonly #feeds = new Map<string, TaskFeed>();
  /** Feeds that nobody reads, the longest idle first, with the timer that drops them. */
  readonly #idle = new Map<string, NodeJS.Timeout>();

  /** The feed of a task. Where all that may be kept are being read, the new one is not shared. */
  open(taskId: string, source: () => FeedSource): TaskFeed {
    const kept = this.#feeds.get(taskId);
    if (kept !== undefined) return kept;
    const feed: TaskFeed = new TaskFeed(source(), {
      onBusy: () => this.#keep(taskId, feed),
      onIdle: () => this.#letIdle(taskId, feed),
      onOver: () => this.#drop(taskId, feed),
    });
    this.#keep(taskId, feed);
    this.#letIdle(taskId, feed);
    return feed;
  }

  /** Ends all feeds at once. */
  close(): void {
    for (const timer of this.#idle.values()) clearTimeout(timer);
    for (const feed of this.#feeds.values()) feed.close();
    this.#idle.clear();
    this.#feeds.clear();
  }

  #keep(taskId: string, feed: TaskFeed): void {
    const current = this.#feeds.get(taskId);
    if (current === feed) this.#stopTimer(taskId);
    if (current !== undefined) return;
    const [longestIdle] = this.#idle.keys();
    if (this.#feeds.size >= clientLimits.feed.most) {
      if (longestIdle === undefined) return;
      this.#stopTimer(longestIdle);
      this.#feeds.delete(longestIdle);
    }
    this.#feeds.set(taskId, feed);
  }

  /** A page that is loaded again, or the next command of a script, finds the feed as it was. No process waits for the timer. */
  #letIdle(taskId: string, feed: TaskFeed): void {
    if (this.#feeds.get(taskId) !== feed) return;
    this.#stopTimer(taskId);
    this.#idle.set(taskId, setTimeout(() => this.#drop(taskId, feed), clientLimits.feed.linger).unref());
  }

  /** An end that a killed server did not keep comes again, so who asks later gets a new feed. */
  #drop(taskId: string, feed: TaskFeed): void {
    if (this.#feeds.get(taskId) !== feed) return;
    this.#stopTimer(taskId);
    this.#feeds.delete(taskId);
  }

  #stopTimer(taskId: string): void {
    clearTimeout(this.#idle.get(taskId));
    this.#idle.delete(taskId);
  }
}
