import type { StatusView } from '../../domain/views/task-status.ts';
import { Bell } from './bell.ts';
import { EventWindow } from './event-window.ts';
import type { LiveActivity } from './live-activity.ts';

/** A value with a number that grows with each new one, so that a reader knows which one it has seen. */
interface Latest<T> {
  version: number;
  value: T;
}

/** The news of a feed that its readers have in common, and who of them waits for more. */
export class FeedState {
  readonly window = new EventWindow(0);
  status: Latest<StatusView> | undefined;
  activity: Latest<readonly LiveActivity[]> | undefined;
  trouble: string | undefined;
  /** The window may hold events that the task has lost since they were read: nobody is told them. */
  isUnchecked = false;
  /** The task has no more events. */
  isOver = false;
  isClosed = false;
  failure: { error: unknown } | undefined;
  readonly #news = new Bell();
  readonly #demand = new Bell();
  readonly #waiting = new Set<object>();
  #version = 0;

  /** Somebody has everything that is here. */
  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  takeCheck(): void {
    this.isUnchecked = false;
    this.wake();
  }

  takeStatus(value: StatusView): void {
    this.status = { version: (this.#version += 1), value };
    this.wake();
  }

  takeActivity(value: readonly LiveActivity[]): void {
    this.activity = { version: (this.#version += 1), value };
    this.wake();
  }

  takeTrouble(trouble: string | undefined): void {
    if (trouble === this.trouble) return;
    this.trouble = trouble;
    this.wake();
  }

  /** There is something for readers to look at. */
  wake(): void {
    this.#waiting.clear();
    this.#news.ring();
  }

  /** Waits for news, and lets the feed know that somebody does. */
  async wait(signal: AbortSignal): Promise<void> {
    const waiter = {};
    this.#waiting.add(waiter);
    this.#demand.ring();
    await this.#news.wait(signal);
    this.#waiting.delete(waiter);
  }

  /** Resolves when somebody begins to wait for news, or at the next {@link FeedState.request}. */
  demand(signal: AbortSignal): Promise<void> {
    return this.#demand.wait(signal);
  }

  request(): void {
    this.#demand.ring();
  }

  /** While nobody reads, nothing is looked at, and what was seen of a status may be wrong by the next reader. */
  forgetLooks(): void {
    this.status = undefined;
    this.activity = undefined;
    this.trouble = undefined;
  }
}
