import { setTimeout as sleep } from 'node:timers/promises';
import { clientLimits } from '../limits/client-limits.ts';
import type { HeddleClient } from '../sdk/heddle-client.ts';
import type { TaskListing } from '../sdk/task-listing.ts';
import { unlessAborted } from '../live/bell.ts';
import type { BoardState } from './board-state.ts';

const { board: pace } = clientLimits;

/**
 * Keeps a board current while somebody reads it: the server lists the tasks once a second, those that wait have a feed each, and the
 * other open ones are looked at in turn. In the list of the server two questions of one kind look like one: feeds tell them apart.
 */
export class TaskWatch {
  readonly #client: HeddleClient;
  readonly #state: BoardState;
  readonly #signal: AbortSignal;
  readonly #feeds = new Map<string, AbortController>();
  /** The trouble that feeds report, by task. */
  readonly #troubles = new Map<string, string>();
  /** When the others were looked at. */
  readonly #looked = new Map<string, number>();

  constructor(client: HeddleClient, state: BoardState, signal: AbortSignal) {
    this.#client = client;
    this.#state = state;
    this.#signal = signal;
  }

  /** Runs until the signal is aborted. */
  async run(): Promise<void> {
    const signal = this.#signal;
    while (!signal.aborted) {
      const begun = Date.now();
      const listings = await unlessAborted(signal, () => this.#list());
      if (listings !== undefined) await this.#takeListings(listings);
      await sleep(Math.max(0, pace.list - (Date.now() - begun)), undefined, { signal }).catch(() => undefined);
    }
    for (const stop of this.#feeds.values()) stop.abort();
  }

  /** Undefined where the server does not answer. */
  async #list(): Promise<TaskListing[] | undefined> {
    try {
      return await this.#client.listNewest(pace);
    } catch {
      this.#state.takeTrouble('the Temporal server is not responding');
      return undefined;
    }
  }

  async #takeListings(listings: readonly TaskListing[]): Promise<void> {
    this.#state.takeListings(listings);
    const open = listings.filter(({ endedAt }) => endedAt === null);
    const waiting = open
      .filter(({ waitingOn }) => waitingOn.length > 0)
      .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
      .slice(0, clientLimits.feed.most);
    const watched = new Set(waiting.map(({ id }) => id));
    for (const [id, stop] of this.#feeds) if (!watched.has(id)) stop.abort();
    const begun = waiting.filter(({ id }) => !this.#feeds.has(id)).map(({ id }) => this.#follow(id));
    const others = open.filter(({ id }) => !watched.has(id)).map(({ id }) => id);
    const looks = Promise.all([...begun, this.#lookAtSome(others)]);
    if (this.#state.isComplete) void looks;
    else await Promise.race([looks, sleep(pace.firstLook, undefined, { signal: this.#signal }).catch(() => undefined)]);
    if (!this.#signal.aborted) this.#state.complete();
    this.#showTrouble();
  }

  /** Follows a task that waits; resolves when it has answered once. */
  async #follow(id: string): Promise<void> {
    const stop = new AbortController();
    this.#feeds.set(id, stop);
    const signal = AbortSignal.any([stop.signal, this.#signal]);
    const first = await this.#look(id, signal);
    void this.#readFeed(id, first ?? 0, signal).finally(() => {
      this.#feeds.delete(id);
      this.#troubles.delete(id);
    });
  }

  async #readFeed(id: string, since: number, signal: AbortSignal): Promise<void> {
    try {
      for await (const news of this.#client.feed(id).read({ since, signal, status: true })) {
        if (news.kind === 'status') this.#state.takeStatus(id, news.status);
        if (news.kind !== 'trouble') continue;
        if (news.trouble === undefined) this.#troubles.delete(id);
        else this.#troubles.set(id, news.trouble);
        this.#showTrouble();
      }
    } catch {
      // The task is gone, or was never one of ours: the next list says so.
    }
  }

  /** Asks a task how it is; gives the number of its newest event. */
  async #look(id: string, signal: AbortSignal): Promise<number | undefined> {
    this.#looked.set(id, Date.now());
    const status = await unlessAborted(signal, () =>
      this.#client
        .task(id)
        .status({ server: false })
        .catch(() => undefined),
    );
    if (status !== undefined) this.#state.takeStatus(id, status);
    return status?.lastEventId;
  }

  /** Those that were looked at longest ago, and not lately. */
  async #lookAtSome(ids: readonly string[]): Promise<void> {
    const open = new Set(ids);
    for (const id of this.#looked.keys()) if (!open.has(id) && !this.#feeds.has(id)) this.#looked.delete(id);
    const before = Date.now() - pace.lookAgain;
    const at = (id: string): number => this.#looked.get(id) ?? 0;
    const due = ids.filter((id) => at(id) <= before).toSorted((a, b) => at(a) - at(b));
    const most = this.#state.isComplete ? pace.looks : pace.firstLooks;
    await Promise.all(due.slice(0, most).map((id) => this.#look(id, this.#signal)));
  }

  #showTrouble(): void {
    const [first] = this.#troubles.values();
    this.#state.takeTrouble(first);
  }
}
