import { clientLimits } from '../limits/client-limits.ts';

/** Looks that many ask for at the same time are made once: who asks a moment later gets the same answer. */
export class RecentLooks {
  readonly #looks = new Map<string, Promise<unknown>>();

  /** Drops a look that is known to be old. */
  forget(name: string): void {
    this.#looks.delete(name);
  }

  /** The name says what is looked at; the same name always has the same kind of answer. A failure is told to all who asked, and not kept. */
  get<T>(name: string, look: () => Promise<T>): Promise<T> {
    const recent = this.#looks.get(name);
    // Only this line puts looks in, under a name that each caller uses for one kind of look.
    if (recent !== undefined) return recent as Promise<T>;
    const made = look();
    this.#looks.set(name, made);
    const forget = (): void => {
      if (this.#looks.get(name) === made) this.#looks.delete(name);
    };
    made.then(() => setTimeout(forget, clientLimits.streams.sharedLook).unref(), forget);
    return made;
  }
}
