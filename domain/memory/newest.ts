import { utf8Length } from '../text/text.ts';

export interface Bounds {
  items: number;
  bytes: number;
}

/** Items never change once they are in a list, and a list is bounded again at each change, so sizes are kept. */
const knownSizes = new WeakMap<object, number>();

/** Counts the bytes of a value as JSON, which is how it travels. */
export function jsonBytes(value: object | string): number {
  if (typeof value === 'string') return utf8Length(JSON.stringify(value));
  const before = knownSizes.get(value);
  if (before !== undefined) return before;
  const bytes = utf8Length(JSON.stringify(value));
  knownSizes.set(value, bytes);
  return bytes;
}

/** Keeps the last items that fit; the first ones are the least recent. */
export function keepNewest<T extends Readonly<object> | string>(
  items: readonly T[],
  { items: most, bytes }: Bounds,
): T[] {
  let left = bytes;
  let from = items.length;
  for (const item of items.slice(-most).reverse()) {
    // One more byte for the comma.
    left -= jsonBytes(item) + 1;
    if (left < 0) break;
    from -= 1;
  }
  return items.slice(from);
}
