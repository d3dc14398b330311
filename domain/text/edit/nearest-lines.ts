export interface NearestLines {
  /** The number of the first one. */
  from: number;
  lines: string[];
}

/** What is compared of a file and of a line: a hint need not be perfect. */
const comparedLines = 20_000;
const comparedLength = 200;
const shownLines = 6;
/** Less in common than this is another line. */
const leastAlike = 0.4;

/** The lines of a text that are most like the one that says most of the wanted ones; undefined when none is like it. */
export function nearestLines(text: string, wanted: string): NearestLines | undefined {
  const sought = wanted.split(/\r?\n/, comparedLines);
  const longest = sought.reduce((best, line, index) => (lengthOf(line) > lengthOf(sought[best]) ? index : best), 0);
  const words = wordsOf(sought[longest] ?? '');
  if (words.size === 0) return undefined;
  const lines = text.split(/\r?\n/, comparedLines);
  let best: { index: number; alike: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const alike = alikeness(words, wordsOf(line));
    if (alike >= leastAlike && alike > (best?.alike ?? 0)) best = { index, alike };
  }
  if (best === undefined) return undefined;
  const from = Math.max(0, best.index - Math.min(longest, shownLines / 2));
  const count = Math.min(shownLines, Math.max(3, sought.length));
  return { from: from + 1, lines: lines.slice(from, from + count) };
}

const lengthOf = (line: string | undefined): number => line?.trim().length ?? 0;

const wordsOf = (line: string): Set<string> =>
  new Set(
    line
      .slice(0, comparedLength)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [],
  );

/** Twice what both have, by what they have together. */
function alikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const word of one) if (other.has(word)) both += 1;
  return (2 * both) / (one.size + other.size);
}
