/** A text or a list as a search sees it. */
export interface Sequence<T> {
  length: number;
  at: (index: number) => T;
}

export const asCharacters = (text: string): Sequence<number> => ({
  length: text.length,
  at: (index) => text.charCodeAt(index),
});

export const asItems = (items: readonly string[]): Sequence<string | undefined> => ({
  length: items.length,
  at: (index) => items[index],
});

/**
 * Finds where one sequence begins in another, overlapping places too. Knuth, Morris and Pratt: linear for any input, while `indexOf` takes
 * seconds on texts of one letter.
 */
export function* findPlaces<T>(whole: Sequence<T>, part: Sequence<T>): Generator<number> {
  if (part.length === 0 || part.length > whole.length) return;
  const fallback = buildFallbacks(part);
  for (let index = 0, matched = 0; index < whole.length; index += 1) {
    const item = whole.at(index);
    while (matched > 0 && (matched === part.length || part.at(matched) !== item)) matched = fallback[matched - 1] ?? 0;
    if (part.at(matched) === item) matched += 1;
    if (matched === part.length) yield index - matched + 1;
  }
}

/** For each matched length: how much of it still matches when the next item does not. */
function buildFallbacks<T>(part: Sequence<T>): Int32Array {
  const fallback = new Int32Array(part.length);
  for (let index = 1, matched = 0; index < part.length; index += 1) {
    while (matched > 0 && part.at(matched) !== part.at(index)) matched = fallback[matched - 1] ?? 0;
    if (part.at(matched) === part.at(index)) matched += 1;
    fallback[index] = matched;
  }
  return fallback;
}
