import { setTimeout as sleep } from 'node:timers/promises';
import { clientLimits } from '../limits/client-limits.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { unlessAborted } from './bell.ts';
import type { LiveActivity } from './live-activity.ts';

export interface StatusPollerOptions {
  task: { status: () => Promise<StatusView>; activity: () => Promise<readonly LiveActivity[]> };
  onStatus: (status: StatusView) => void;
  onActivity: (activity: readonly LiveActivity[]) => void;
  /** Lines are asked for only while somebody wants them and something runs. */
  wantsActivity: () => boolean;
}

/** Reads the status of a task again after something happened to it, and the newest lines of its running attempts. */
export class StatusPoller {
  readonly #options: StatusPollerOptions;
  readonly #stop = new AbortController();
  #changed = false;
  #running = false;
  #listened = 0;
  #wake: () => void = () => undefined;
  readonly #loop: Promise<void>;

  constructor(options: StatusPollerOptions) {
    this.#options = options;
    this.#loop = this.#poll();
  }

  changed(): void {
    this.#changed = true;
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#loop;
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#untilDue();
      if (this.#changed) await this.#look();
      if (this.#listens) await this.#listen();
      // A busy task would otherwise answer nothing but its watchers.
      await sleep(clientLimits.cli.statusRefresh, undefined, { signal }).catch(() => undefined);
    }
  }

  get #listens(): boolean {
    return this.#running && this.#options.wantsActivity();
  }

  /** Until something changed, or it is time to see what is printed. */
  async #untilDue(): Promise<void> {
    if (this.#changed || this.#stop.signal.aborted) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (this.#listens)
        timer = setTimeout(resolve, Math.max(0, this.#listened + clientLimits.cli.activityPoll - Date.now()));
    });
    clearTimeout(timer);
  }

  /** A look that fails is made again: the events of the feed tell what is wrong. */
  async #look(): Promise<void> {
    this.#changed = false;
    const status = await this.#unlessStopped(() => this.#options.task.status());
    if (status === undefined) {
      this.#changed = true;
      return;
    }
    const isBusy = status.state === 'planning' || status.state === 'running';
    this.#running = isBusy || status.subtasks.some(({ state }) => state === 'running');
    this.#options.onStatus(status);
  }

  async #listen(): Promise<void> {
    if (Date.now() - this.#listened < clientLimits.cli.activityPoll) return;
    this.#listened = Date.now();
    const activity = await this.#unlessStopped(() => this.#options.task.activity());
    if (activity !== undefined) this.#options.onActivity(activity);
  }

  /** Undefined when it fails, and at once when the poller is stopped meanwhile. */
  #unlessStopped<T>(action: () => Promise<T>): Promise<T | undefined> {
    return unlessAborted(this.#stop.signal, () => action().catch(() => undefined));
  }
}
