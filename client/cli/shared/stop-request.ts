import type { TerminalPort } from '../../ports/terminal.ts';
import { followLauncher } from './launcher.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type StopSignal = (typeof signals)[number];

/** Signals of one kind that come within this many milliseconds are one request: `npx` repeats what the terminal has sent already. */
const sameRequest = 1_000;

/**
 * Calls the handler at the first request to stop. A second SIGINT or SIGTERM, from that moment until the returned function is called,
 * ends the process as if nobody listened, and so does any after it.
 */
export function onceAskedToStop(ports: Pick<TerminalPort, 'onStopRequest'>, handler: () => void): () => void {
  if (ports.onStopRequest === undefined) return new StopRequests(handler).listen();
  const release = ports.onStopRequest(() => {
    release();
    handler();
  });
  return release;
}

/** The sender of a request: the system, or the launcher, which repeats here what it got itself. */
type Source = 'own' | 'launcher';

/**
 * One Ctrl-C may arrive several times: a group's signal reaches the launcher too, which repeats it. So each source counts for itself, and
 * the larger count is the number of requests. SIGHUP never counts as the second one: a terminal that closes sends it twice.
 */
class StopRequests {
  readonly #handler: () => void;
  readonly #count: Record<Source, number> = { own: 0, launcher: 0 };
  readonly #lastAt: Record<Source, number> = { own: -Infinity, launcher: -Infinity };
  readonly #listeners = signals.map((signal) => ({ signal, listener: () => this.#take('own', signal) }));
  #isReleased = false;

  constructor(handler: () => void) {
    this.#handler = handler;
  }

  listen(): () => void {
    for (const { signal, listener } of this.#listeners) process.on(signal, listener);
    followLauncher((signal) => {
      const name = signals.find((name) => name === signal);
      if (name !== undefined) this.#take('launcher', name);
    });
    return () => {
      this.#isReleased = true;
      // A signal that the launcher has repeated is still to come from the system: it is no second request then.
      if (this.#count.own >= this.#count.launcher) this.#unlisten();
    };
  }

  #unlisten(): void {
    for (const { signal, listener } of this.#listeners) process.off(signal, listener);
  }

  #take(source: Source, signal: StopSignal): void {
    const before = this.#requests;
    const now = performance.now();
    const isRepeated = now - this.#lastAt[source] < sameRequest;
    this.#lastAt[source] = now;
    if (isRepeated || (signal === 'SIGHUP' && before > 0)) return;
    this.#count[source] += 1;
    if (this.#requests === before) return;
    if (before === 0 && !this.#isReleased) this.#handler();
    else this.#force(signal);
  }

  get #requests(): number {
    return Math.max(this.#count.own, this.#count.launcher);
  }

  #force(signal: StopSignal): void {
    this.#unlisten();
    process.kill(process.pid, signal);
  }
}
