import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { clientLimits } from '../limits/client-limits.ts';

/** Counts the streams that are open, of each name and in all. */
export class StreamLimit {
  readonly #open = new Map<string, number>();
  #all = 0;

  /** How many are open. */
  get count(): number {
    return this.#all;
  }

  /** Takes one; gives it back by the function that it returns. Throws `STREAMS_FULL` where there are too many. */
  take(name: string): () => void {
    const { ofName, inAll } = clientLimits.streams;
    const open = this.#open.get(name) ?? 0;
    if (open >= ofName) throw full(`${name} has ${open} streams open`);
    if (this.#all >= inAll) throw full(`${this.#all} streams are open`);
    this.#open.set(name, open + 1);
    this.#all += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#all -= 1;
      const left = (this.#open.get(name) ?? 1) - 1;
      if (left === 0) this.#open.delete(name);
      else this.#open.set(name, left);
    };
  }
}

const full = (message: string): HeddleError =>
  new HeddleError({
    code: 'STREAMS_FULL',
    message: `${message}, which is the most`,
    hint: 'Close one of them, or ask for the status from time to time.',
  });
