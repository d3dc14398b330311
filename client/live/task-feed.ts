import { unlessAborted } from './bell.ts';
import { pumpEvents } from './event-pump.ts';
import { FeedState } from './feed-state.ts';
import { OlderEvents, type OlderPart } from './older-events.ts';
import { patiently } from './patience.ts';
import { readFeed } from './read-feed.ts';
import { StatusPoller } from './status-poller.ts';
import type { FeedSource, ReadOptions, TaskNews } from './task-news.ts';

/** How a feed tells its owner that it is read, that nobody reads it any more, and that it has no more news. */
export interface FeedHooks {
  onBusy?: () => void;
  onIdle?: () => void;
  onOver?: () => void;
}

/**
 * The live news of one task, shared by everybody in this process who follows it: one long poll, one query for each change, one status
 * and one look at what is printed, however many read. A reader is a cursor: it takes what follows its number, then waits. A slow reader falls behind the newest 1,000 events and reads the older ones from the task or its archive. {@link HeddleClient.feed}
 * makes one.
 *
 * @example
 * ```ts
 * for await (const news of heddle.feed('deploy-1').read({ since: 12, status: true })) {
 *   if (news.kind === 'event') console.log(news.event.id, news.event.text);
 *   if (news.kind === 'status') console.log(news.status.state);
 * }
 * ```
 */
export class TaskFeed {
  readonly #source: FeedSource;
  readonly #hooks: FeedHooks;
  readonly #state = new FeedState();
  readonly #older: OlderEvents;
  readonly #readers = new Set<ReadOptions>();
  /** Aborts the pump and its calls when the last reader has gone. */
  #run = new AbortController();
  #poller: StatusPoller | undefined;
  #hasAnswered = false;

  /** Use {@link HeddleClient.feed}: a feed that is made by hand is shared with nobody. */
  constructor(source: FeedSource, hooks: FeedHooks = {}) {
    this.#source = source;
    this.#hooks = hooks;
    this.#older = new OlderEvents(source, this.#state.window);
  }

  /**
   * Yields the events after a number as they happen, to the end of the task, and what else the reader wants.
   *
   * @throws {@link HeddleError} `TASK_NOT_FOUND`, or another code where asking again does not help. Trouble that passes is news.
   */
  async *read(options: ReadOptions = {}): AsyncGenerator<TaskNews, void, undefined> {
    if (this.#state.isClosed || options.signal?.aborted === true) return;
    const reader = { ...options };
    this.#attach(reader);
    try {
      yield* readFeed(this.#state, (after, signal) => this.#readOlder(after, signal), reader);
    } finally {
      this.#detach(reader);
    }
  }

  /** Has the status read again, also where nothing has happened, for the readers who want it. */
  refresh(): void {
    this.#poller?.changed();
  }

  /** Ends all reading. */
  close(): void {
    this.#state.isClosed = true;
    this.#pause();
    this.#state.wake();
  }

  #attach(reader: ReadOptions): void {
    const isFirst = this.#readers.size === 0;
    this.#readers.add(reader);
    if (isFirst) {
      this.#hooks.onBusy?.();
      const { window } = this.#state;
      if (window.last === undefined) window.restart(reader.since ?? 0);
      this.#start();
    }
    if (this.#isWatched && this.#poller === undefined) this.#watch();
    this.#state.request();
  }

  #detach(reader: ReadOptions): void {
    this.#readers.delete(reader);
    if (this.#state.isClosed) return;
    if (!this.#isWatched) this.#unwatch();
    if (this.#readers.size > 0) return;
    this.#pause();
    this.#hooks.onIdle?.();
  }

  get #isWatched(): boolean {
    return [...this.#readers].some(({ status = false, activity = false }) => status || activity);
  }

  #start(): void {
    const state = this.#state;
    if (state.isOver || state.failure !== undefined) return;
    state.isUnchecked = state.window.last !== undefined;
    const { signal } = (this.#run = new AbortController());
    const pumping = pumpEvents({
      window: state.window,
      poll: this.#source.poll,
      page: this.#source.page,
      signal,
      untilRead: async () => {
        while (!signal.aborted && !state.isAwaited && !this.#isWatched) await state.demand(signal);
      },
      onChecked: () => state.takeCheck(),
      onPage: (page) => this.#takePage(page.length),
      onTrouble: (trouble) => this.#takeTrouble(signal, trouble),
    });
    pumping.then(
      (isOver) => {
        if (isOver) this.#end(undefined);
      },
      (error: unknown) => {
        if (!signal.aborted) this.#end({ error: this.#source.explain(error) });
      },
    );
  }

  #end(failure: { error: unknown } | undefined): void {
    this.#state.isOver = true;
    this.#state.failure = failure;
    this.#hooks.onOver?.();
    this.#state.wake();
  }

  /** The status comes second: of two queries that reach a task in its first workflow task, the server answers one seconds later. */
  #takePage(count: number): void {
    if (count > 0 || !this.#hasAnswered) this.#poller?.changed();
    this.#hasAnswered = true;
    if (count > 0) this.#state.wake();
  }

  #takeTrouble(signal: AbortSignal, trouble: string | undefined): void {
    if (!signal.aborted) this.#state.takeTrouble(trouble);
  }

  #watch(): void {
    const state = this.#state;
    this.#poller = new StatusPoller({
      task: this.#source,
      onStatus: (status) => state.takeStatus(status),
      onActivity: (activity) => state.takeActivity(activity),
      wantsActivity: () => [...this.#readers].some(({ activity = false }) => activity),
    });
    if (this.#hasAnswered) this.#poller.changed();
  }

  #unwatch(): void {
    void this.#poller?.stop();
    this.#poller = undefined;
  }

  #pause(): void {
    this.#run.abort();
    this.#unwatch();
    this.#hasAnswered = false;
    this.#state.forgetLooks();
  }

  async #readOlder(after: number, signal: AbortSignal): Promise<OlderPart | undefined> {
    const run = this.#run.signal;
    const onTrouble = (trouble: string | undefined): void => this.#takeTrouble(run, trouble);
    try {
      const read = () => patiently(() => this.#older.read(after, run), { signal: run, onTrouble });
      return await unlessAborted(signal, read);
    } catch (error) {
      throw this.#source.explain(error);
    }
  }
}
