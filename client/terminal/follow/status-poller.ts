import { setTimeout as sleep } from 'node:timers/promises';
import { clientLimits } from '../../limits/client-limits.ts';
import type { StatusView } from '../../../domain/views/task-status.ts';
import type { LiveActivity, TaskHandle } from '../../sdk/task-handle.ts';

export interface StatusPollerOptions {
  handle: TaskHandle;
  onStatus: (status: StatusView) => void;
  /** Asked for only while something runs. */
  onActivity?: (activity: readonly LiveActivity[]) => void;
}

/** Looks at a task again after something happened to it, and at what its running attempts print. */
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
    this.#loop = this.#beat();
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

  async #beat(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#turn();
      if (this.#changed) await this.#look();
      if (this.#running) await this.#listen();
      // Whoever watches has to leave the task time to work.
      await sleep(clientLimits.cli.statusRefresh, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Until something changed, or it is time to see what is printed. */
  async #turn(): Promise<void> {
    if (this.#changed || this.#stop.signal.aborted) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (this.#running && this.#options.onActivity !== undefined)
        timer = setTimeout(resolve, Math.max(0, this.#listened + clientLimits.cli.activityPoll - Date.now()));
    });
    clearTimeout(timer);
  }

  /** A look that fails is made again: the follower says what is wrong. */
  async #look(): Promise<void> {
    this.#changed = false;
    const status = await this.#unlessStopped(() => this.#options.handle.status());
    if (status === undefined) {
      this.#changed = true;
      return;
    }
    this.#running = status.subtasks.some(({ state }) => state === 'running');
    this.#options.onStatus(status);
  }

  async #listen(): Promise<void> {
    if (this.#options.onActivity === undefined || Date.now() - this.#listened < clientLimits.cli.activityPoll) return;
    this.#listened = Date.now();
    const activity = await this.#unlessStopped(() => this.#options.handle.activity());
    if (activity !== undefined) this.#options.onActivity(activity);
  }

  /** Undefined when it fails, and at once when the follower stops meanwhile. */
  #unlessStopped<T>(action: () => Promise<T>): Promise<T | undefined> {
    const { signal } = this.#stop;
    return new Promise((resolve) => {
      const giveUp = (): void => resolve(undefined);
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      void action()
        .then(resolve, giveUp)
        .finally(() => signal.removeEventListener('abort', giveUp));
    });
  }
}
