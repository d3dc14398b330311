/** Removes differences that are easy to confuse: case, and how the words of a name are joined. */
const fold = (word: string): string => word.toLowerCase().replace(/[\s_.-]/g, '');

/** Fewer common letters are no similarity. */
const leastShared = 4;

/** Returns the candidate that `word` most likely misspells, or undefined when none is near. The first of equals wins. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const folded = fold(word);
  const most = Math.min(3, Math.floor(folded.length / 3));
  let best: { candidate: string; distance: number } | undefined;
  let alike: { candidate: string; shared: number } | undefined;
  for (const candidate of candidates) {
    const other = fold(candidate);
    if (other === folded) return candidate;
    const distance = distanceUpTo(folded, other, best === undefined ? most : best.distance - 1);
    if (distance !== undefined) best = { candidate, distance };
    const shared = sharedLetters(folded, other);
    if (shared > (alike?.shared ?? 0)) alike = { candidate, shared };
  }
  return best?.candidate ?? alike?.candidate;
}

/** Counts common letters when one word contains the other, or both begin or end alike for two thirds of the shorter one; else 0. */
function sharedLetters(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  if (shorter < leastShared || Math.max(a.length, b.length) > 3 * shorter) return 0;
  if (a.includes(b) || b.includes(a)) return shorter;
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const same = Math.max(start, end);
  return same >= leastShared && same * 3 >= shorter * 2 ? same : 0;
}

/** Counts edits (insert, remove, replace, swap of neighbours) from `a` to `b`; undefined above `most`. */
function distanceUpTo(a: string, b: string, most: number): number | undefined {
  if (most < 0 || Math.abs(a.length - b.length) > most) return undefined;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let lowest = i;
    for (let j = 1; j <= b.length; j += 1) {
      const cost = editCost({ a, b, i, j, row, last, before });
      row.push(cost);
      lowest = Math.min(lowest, cost);
    }
    if (lowest > most) return undefined;
    before = last;
    last = row;
  }
  const distance = last[b.length] ?? most + 1;
  return distance <= most ? distance : undefined;
}

interface Cell {
  a: string;
  b: string;
  i: number;
  j: number;
  row: number[];
  last: number[];
  before: number[];
}

function editCost({ a, b, i, j, row, last, before }: Cell): number {
  const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
  const cost = Math.min(replaced, at(last, j) + 1, at(row, j - 1) + 1);
  const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return swapped ? Math.min(cost, at(before, j - 2) + 1) : cost;
}

const at = (row: readonly number[], j: number): number => row[j] ?? Infinity;
