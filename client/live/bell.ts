/** Wakes everybody who waits for a change. A ring that nobody waits for is lost, so a waiter looks before it waits. */
export class Bell {
  readonly #waiting = new Set<() => void>();

  ring(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves at the next ring, or when the signal is aborted. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}

/** The result of an action; undefined at once where the signal is aborted before there is one. */
export function unlessAborted<T>(signal: AbortSignal, action: () => Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve(undefined);
    const giveUp = (): void => resolve(undefined);
    signal.addEventListener('abort', giveUp, { once: true });
    void action()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp));
  });
}
