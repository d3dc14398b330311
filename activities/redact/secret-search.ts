/** Bytes that must not be shown, and what is shown in their place. */
export interface Pattern {
  bytes: Uint8Array;
  label: string;
}

/** The longest end of the text so far that begins a pattern. */
export class State {
  readonly byte: number;
  /** How many bytes of the text it stands for. */
  readonly depth: number;
  /** The label of the first pattern that begins like this. */
  readonly label: string;
  /** The longest pattern that ends here. */
  match: { length: number; label: string } | undefined;
  /** The states that one more byte leads to: the first, and from each to the next. */
  child: State | undefined;
  readonly sibling: State | undefined;
  /** The next shorter end of the text that begins a pattern. */
  fallback: State | undefined;

  constructor(byte: number, depth: number, label: string, sibling?: State) {
    this.byte = byte;
    this.depth = depth;
    this.label = label;
    this.sibling = sibling;
    this.match = undefined;
    this.child = undefined;
    this.fallback = undefined;
  }
}

/**
 * Finds many patterns at once in one pass over a stream (Aho and Corasick): the time is linear in the text, however many patterns
 * there are and however they overlap.
 */
export class SecretSearch {
  readonly start = new State(0, 0, '');
  /** Bytes of the longest pattern: no state is deeper. */
  readonly longest: number;
  /** Nearly every byte of a text is looked for here, so that it is no list. */
  readonly #first: (State | undefined)[] = Array.from({ length: 256 }, () => undefined);

  constructor(patterns: readonly Pattern[]) {
    this.longest = patterns.reduce((most, { bytes }) => Math.max(most, bytes.length), 0);
    for (const pattern of patterns) this.#add(pattern);
    this.#link();
  }

  /** The state after one more byte of the text. */
  step(from: State, byte: number): State {
    for (let state: State | undefined = from; state !== undefined; state = state.fallback) {
      const next = this.#next(state, byte);
      if (next !== undefined) return next;
    }
    return this.start;
  }

  #next(state: State, byte: number): State | undefined {
    if (state === this.start) return this.#first[byte];
    let child = state.child;
    while (child !== undefined && child.byte !== byte) child = child.sibling;
    return child;
  }

  #add({ bytes, label }: Pattern): void {
    let state = this.start;
    for (const byte of bytes) {
      let next = this.#next(state, byte);
      if (next === undefined) {
        next = new State(byte, state.depth + 1, label, state.child);
        state.child = next;
        if (state === this.start) this.#first[byte] = next;
      }
      state = next;
    }
    // The first of two variables with one value gives the name.
    if (state !== this.start) state.match ??= { length: bytes.length, label };
  }

  /** By depth, so that whatever a state falls back to is done before it. */
  #link(): void {
    let level: State[] = [this.start];
    while (level.length > 0) {
      const below: State[] = [];
      for (const state of level) {
        for (let child = state.child; child !== undefined; child = child.sibling) {
          child.fallback = state.fallback === undefined ? this.start : this.step(state.fallback, child.byte);
          child.match ??= child.fallback.match;
          below.push(child);
        }
      }
      level = below;
    }
  }
}
