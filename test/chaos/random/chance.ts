import { createHash } from 'node:crypto';

/** Chance that a seed repeats: the same questions in the same order get the same answers. */
export class Chance {
  #state: number;

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Once in so many times. */
  once(inTimes: number): boolean {
    return this.next() * inTimes < 1;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** Small numbers more often than large ones. */
  mostlySmall(least: number, most: number): number {
    return least + Math.floor(this.next() ** 2 * (most - least + 1));
  }

  /** One of the names, as often as its weight says. */
  pick<Name extends string>(weights: Partial<Record<Name, number>>): Name {
    const entries = Object.entries(weights) as [Name, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) if ((left -= weight) < 0) return name;
    const [first] = entries;
    if (first === undefined) throw new Error('nothing to choose from');
    return first[0];
  }
}
