import { limits } from '../limits/domain-limits.ts';
import { utf8Length } from '../text/text.ts';

/** As many of the items from `from` on as fit into one answer in the form in which they are shown; at least one, so that a reader always gets on. */
export function pageFrom<T, Shown>(
  items: readonly T[],
  show: (item: T) => Shown,
  { from, most = Infinity }: { from: number; most?: number | undefined },
): Shown[] {
  const page: Shown[] = [];
  // The brackets of the list.
  let left: number = limits.answerBytes - 2;
  for (let index = Math.max(0, from); index < items.length && page.length < most; index += 1) {
    const item = items[index];
    if (item === undefined) break;
    const shown = show(item);
    left -= utf8Length(JSON.stringify(shown)) + 1;
    if (left < 0 && page.length > 0) break;
    page.push(shown);
  }
  return page;
}

/** Items in stretches whose JSON fits into one value of the history. */
export function inPages<T>(items: readonly T[], most: number = limits.pageCharacters): T[][] {
  const pages: T[][] = [];
  let room = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length + 1;
    const last = pages.at(-1);
    if (last === undefined || size > room) {
      pages.push([item]);
      room = most - size;
    } else {
      last.push(item);
      room -= size;
    }
  }
  return pages;
}

/** A text in pieces, each of which fits into one value of the history, also when every character is escaped in it. */
export function inPieces(text: string, most: number = limits.pageCharacters): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    // A pair of surrogates that is cut in two would not survive the way through UTF-8.
    const splits = /[\uD800-\uDBFF]/.test(text[start + most - 1] ?? '');
    const end = start + most - (splits ? 1 : 0);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
