import type { Context } from '@temporalio/activity';

import type { Beat, Heartbeat } from '../temporal/heartbeat.ts';
import { nextTryWithin, whyCancelled } from '../temporal/cancellation.ts';

/** Why a run is ended before its time: its task was cancelled, or another worker goes on with it. */
export type Stop = 'cancelled' | 'handed-over';

/** A run that was handed over has no result. */
export const handedOver = Symbol('handed over');

/** One call of the activity by Temporal. */
export interface ActivityTry {
  context: Context;
  heartbeat: Heartbeat;
}

interface LiveRunOptions<T> {
  startedAt: string;
  /** Does another process wait for the end? Then the run goes on without a try of this one. */
  isAwaited: () => Promise<boolean>;
  work: (run: LiveExecution<T>) => Promise<T | typeof handedOver>;
}

/**
 * An attempt's program as this process runs it, for as many tries as Temporal makes meanwhile: after a stop of the machine Temporal
 * has given up the first try and makes another, which joins what still runs.
 */
export class LiveExecution<T> {
  readonly startedAt: string;
  readonly outcome: Promise<T | typeof handedOver>;
  readonly #options: LiveRunOptions<T>;
  readonly #stop = new AbortController();
  readonly #tries = new Set<Heartbeat>();
  #beat: Beat = {};
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(options: LiveRunOptions<T>) {
    this.#options = options;
    this.startedAt = options.startedAt;
    this.outcome = options.work(this).finally(() => {
      this.#hasEnded = true;
      clearTimeout(this.#timer);
    });
    // Every try that joins sees a rejection; a rejection that nobody waits for is no reason to end the process.
    this.outcome.catch(() => undefined);
  }

  /** Aborted when the run is to end; the reason is a `Stop`. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isAlone(): boolean {
    return this.#tries.size === 0;
  }

  get pid(): number | undefined {
    return this.#beat.pid;
  }

  /** News of the program, for every try that waits for it. */
  note(news: Beat): void {
    this.#beat = { ...this.#beat, ...news };
    for (const heartbeat of this.#tries) heartbeat.note(news);
  }

  stop(why: Stop): void {
    this.#stop.abort(why);
  }

  /** Waits for the outcome as one try of Temporal's. Rejects when Temporal has given up this try, and the run goes on for the next. */
  async join({ context, heartbeat }: ActivityTry): Promise<T | typeof handedOver> {
    clearTimeout(this.#timer);
    this.#tries.add(heartbeat);
    heartbeat.note(this.#beat);
    const { cancellationSignal } = context;
    let cancelled: () => void = () => undefined;
    const lost = new Promise<never>((_, reject) => {
      cancelled = () => {
        const why = whyCancelled(context);
        if (why !== 'lost') this.stop(why);
        else context.cancelled.catch(reject);
      };
    });
    if (cancellationSignal.aborted) cancelled();
    else cancellationSignal.addEventListener('abort', cancelled, { once: true });
    try {
      return await Promise.race([this.outcome, lost]);
    } finally {
      cancellationSignal.removeEventListener('abort', cancelled);
      this.#tries.delete(heartbeat);
      if (this.isAlone && !this.#hasEnded) this.#waitForNextTry(nextTryWithin(context.info));
    }
  }

  #waitForNextTry(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#options.isAwaited().then((awaited) => {
        if (!this.isAlone) return;
        if (awaited) this.#waitForNextTry(ms);
        else this.stop('handed-over');
      });
    }, ms);
    this.#timer.unref();
  }
}
