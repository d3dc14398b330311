/** Counts elements that are open, by their names: what a stack would tell, at a fixed cost for any nesting. */
export class ElementCount {
  readonly #counts = new Map<string, number>();
  /** The one element whose end is waited for, by `start` and `enter`. */
  #name: string | undefined;

  get isOpen(): boolean {
    return this.#name !== undefined;
  }

  has(name: string): boolean {
    return this.depth(name) > 0;
  }

  depth(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  open(name: string): void {
    if (this.#name === undefined || this.#name === name) this.#counts.set(name, this.depth(name) + 1);
  }

  /** Waits for the end of this element. */
  start(name: string): void {
    this.#name = name;
    this.#counts.set(name, 1);
  }

  /** Begins to wait for the end of an element that is special, or counts one inside of it. */
  enter(name: string, isSpecial: boolean): void {
    if (this.#name === name) this.open(name);
    else if (this.#name === undefined && isSpecial) this.start(name);
  }

  close(name: string): void {
    const depth = this.depth(name);
    if (depth > 0) this.#counts.set(name, depth - 1);
    if (this.#name === name && depth <= 1) this.#name = undefined;
  }

  /** An element of this name ends the one that is waited for: nobody has to write the end of an item. */
  endsAt(name: string, openEnded: ReadonlySet<string>): boolean {
    return this.#name === name && openEnded.has(name);
  }

  clear(): void {
    this.#name = undefined;
    this.#counts.clear();
  }
}
