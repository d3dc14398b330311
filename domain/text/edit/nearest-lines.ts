export interface NearestLines {
  /** The number of the first line. */
  from: number;
  lines: string[];
}

/** Bounds on the compared text, because a hint need not be perfect. */
const comparedLines = 20_000;
const comparedLength = 200;
const shownLines = 6;
/** The least similarity of two lines that are suggested. */
const leastAlike = 0.4;

/** Finds the lines that resemble the longest of the requested lines; undefined when none is similar. */
export function nearestLines(text: string, searched: string): NearestLines | undefined {
  const searchedLines = searched.split(/\r?\n/, comparedLines);
  const longest = searchedLines.reduce(
    (best, line, index) => (trimmedLength(line) > trimmedLength(searchedLines[best]) ? index : best),
    0,
  );
  const words = splitWords(searchedLines[longest] ?? '');
  if (words.size === 0) return undefined;
  const lines = text.split(/\r?\n/, comparedLines);
  let best: { index: number; alike: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const alike = alikeness(words, splitWords(line));
    if (alike >= leastAlike && alike > (best?.alike ?? 0)) best = { index, alike };
  }
  if (best === undefined) return undefined;
  const from = Math.max(0, best.index - Math.min(longest, shownLines / 2));
  const count = Math.min(shownLines, Math.max(3, searchedLines.length));
  return { from: from + 1, lines: lines.slice(from, from + count) };
}

const trimmedLength = (line: string | undefined): number => line?.trim().length ?? 0;

const splitWords = (line: string): Set<string> =>
  new Set(
    line
      .slice(0, comparedLength)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [],
  );

/** Twice the number of common words, divided by the number of words of both. */
function alikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const word of one) if (other.has(word)) both += 1;
  return (2 * both) / (one.size + other.size);
}
