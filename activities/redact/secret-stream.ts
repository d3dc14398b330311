import { activityLimits } from '../limits/activity-limits.ts';
import type { SecretSearch, State } from './secret-search.ts';

/** Bytes of the stream that are not shown. */
interface Run {
  start: number;
  end: number;
  /** The label of the secret that begins first; of several, the longest. */
  label: string;
  /** The label is out already; the run may still grow. */
  isLabelled: boolean;
}

/** The position of the stream inside an order to a terminal, such as a colour. */
type Order = 'none' | 'escape' | 'parameters';

const escape = 0x1b;
const bracket = 0x5b;

/**
 * Replaces secrets in a stream, wherever its pieces begin and end: what may still become a secret is held back until it is known, and
 * nothing else is. A colour in the middle of a secret does not hide it.
 */
export class SecretStream {
  readonly #search: SecretSearch;
  #state: State;
  /** Not out yet, from this position of the stream on. */
  #held: Buffer = Buffer.alloc(0);
  #from = 0;
  /** In order, none touches another's bytes. */
  #runs: Run[] = [];
  /** Positions in the stream of the last bytes that belong to the text, in turn. */
  readonly #places: Float64Array;
  #place = 0;
  #order: Order = 'none';

  constructor(search: SecretSearch) {
    this.#search = search;
    this.#state = search.start;
    this.#places = new Float64Array(search.longest + 1);
  }

  /** Takes bytes, and returns those that can be shown now. */
  push(chunk: Buffer): Buffer {
    const seen = this.#held.length;
    const bytes = seen === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (let index = seen; index < bytes.length; index += 1) this.#read(bytes[index] ?? 0, this.#from + index);
    // A match that no longer pattern begins with is decided without more bytes.
    while (this.#state.child === undefined && this.#state.fallback !== undefined) this.#state = this.#state.fallback;
    const { depth } = this.#state;
    return this.#show(bytes, depth === 0 ? this.#from + bytes.length : this.#placeBefore(depth));
  }

  /** The rest. The beginning of a secret that was cut off with the stream is one too, from the length on that makes a secret. */
  end(): Buffer {
    const { depth, label } = this.#state;
    const end = this.#from + this.#held.length;
    if (depth >= activityLimits.redact.shortest) this.#cover(this.#placeBefore(depth), end, label);
    return this.flush();
  }

  /** The rest, where the text is known to be whole. */
  flush(): Buffer {
    this.#state = this.#search.start;
    return this.#show(this.#held, this.#from + this.#held.length);
  }

  #read(byte: number, position: number): void {
    if (this.#isOrder(byte)) return;
    this.#places[this.#place] = position;
    this.#place = (this.#place + 1) % this.#places.length;
    this.#state = this.#search.step(this.#state, byte);
    const { match } = this.#state;
    if (match !== undefined) this.#cover(this.#placeBefore(match.length), position + 1, match.label);
  }

  /** `ESC [ parameters letter`; other orders may carry text and are read as text. */
  #isOrder(byte: number): boolean {
    switch (this.#order) {
      case 'none':
        if (byte === escape) this.#order = 'escape';
        return byte === escape;
      case 'escape':
        this.#order = byte === bracket ? 'parameters' : byte === escape ? 'escape' : 'none';
        return byte === bracket || byte === escape;
      case 'parameters':
        if (byte >= 0x20 && byte < 0x40) return true;
        this.#order = byte === escape ? 'escape' : 'none';
        return byte === escape || (byte >= 0x40 && byte < 0x7f);
    }
  }

  #placeBefore(count: number): number {
    const size = this.#places.length;
    return this.#places[(this.#place - count + size) % size] ?? 0;
  }

  #cover(start: number, end: number, label: string): void {
    const run: Run = { start, end, label, isLabelled: false };
    for (let last = this.#runs.at(-1); last !== undefined && last.end > run.start; last = this.#runs.at(-1)) {
      this.#runs.pop();
      if (last.start < run.start) [run.start, run.label] = [last.start, last.label];
      run.isLabelled ||= last.isLabelled;
    }
    this.#runs.push(run);
  }

  /** Lets out the text before `limit`, and keeps the rest. Nothing found later can reach back before it. */
  #show(bytes: Buffer, limit: number): Buffer {
    const shown: Buffer[] = [];
    let at = this.#from;
    const show = (end: number): void => {
      if (end > at) shown.push(bytes.subarray(at - this.#from, end - this.#from));
    };
    let over = 0;
    for (const run of this.#runs) {
      if (run.start >= limit) break;
      show(run.start);
      if (!run.isLabelled) shown.push(Buffer.from(`[${run.label}]`));
      at = Math.min(run.end, limit);
      if (run.end > limit) {
        [run.start, run.isLabelled] = [limit, true];
        break;
      }
      over += 1;
    }
    this.#runs.splice(0, over);
    show(limit);
    // A copy: a piece of the pipe's own buffer would keep the whole of it in memory.
    this.#held = Buffer.from(bytes.subarray(limit - this.#from));
    this.#from = limit;
    return shown.length === 1 && shown[0] !== undefined ? shown[0] : Buffer.concat(shown);
  }
}
