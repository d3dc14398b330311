import { utf8Length } from '../text/text.ts';

export interface Bounds {
  items: number;
  bytes: number;
}

/** Items never change once they are in a list, and a list is bounded again at each change: most of it was measured before. */
const measured = new WeakMap<object, number>();

/** Bytes of a value as JSON, which is how it travels. */
export function jsonBytes(value: object | string): number {
  if (typeof value === 'string') return utf8Length(JSON.stringify(value));
  const before = measured.get(value);
  if (before !== undefined) return before;
  const bytes = utf8Length(JSON.stringify(value));
  measured.set(value, bytes);
  return bytes;
}

/** The last items that fit: the least recent, which stand first, give way. */
export function newest<T extends Readonly<object> | string>(items: readonly T[], { items: most, bytes }: Bounds): T[] {
  let left = bytes;
  let from = items.length;
  for (const item of items.slice(-most).reverse()) {
    // One more for the comma.
    left -= jsonBytes(item) + 1;
    if (left < 0) break;
    from -= 1;
  }
  return items.slice(from);
}
