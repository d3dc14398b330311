import { findPlaces, itemsOf } from './find-places.ts';
import { indentAs } from './indent-as.ts';

export type LinesEdited =
  | { kind: 'edited'; text: string; line: number }
  /** Where the old lines stand, as characters of the text: several places. */
  | { kind: 'ambiguous'; starts: number[] };

interface Line {
  start: number;
  /** Of its text, and of its line end. */
  end: number;
  next: number;
  text: string;
}

/** One more than is counted. */
const mostPlaces = 101;

/** Whole lines that are the old ones but for white space at their beginnings and ends; the new ones are indented as the file is. */
export function editLines(text: string, edit: { old: string; new: string }): LinesEdited | undefined {
  const wanted = linesOf(edit.old);
  if (wanted.every((line) => line.text.trim() === '')) return undefined;
  const lines = linesOf(text);
  const places = placesOf(lines, wanted);
  const [place] = places;
  if (place === undefined) return undefined;
  const met = lines.slice(place, place + wanted.length);
  const [first, last] = [met[0], met.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (places.length > 1) return { kind: 'ambiguous', starts: places.map((at) => lines[at]?.start ?? 0) };
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const indented = indentAs(edit.new, wanted.map(textOf), met.map(textOf));
  const wholeLines = edit.old.endsWith('\n');
  // The last line of a file may have no end: then the new one gets none either.
  const fits = wholeLines && last.end === last.next ? indented.replace(/\n$/, '') : indented;
  const behind = text.slice(wholeLines ? last.next : last.end);
  return {
    kind: 'edited',
    text: text.slice(0, first.start) + fits.replace(/\n/g, lineEnd) + behind,
    line: place + 1,
  };
}

function placesOf(lines: readonly Line[], wanted: readonly Line[]): number[] {
  const places: number[] = [];
  const [whole, part] = [lines, wanted].map((some) => itemsOf(some.map((line) => line.text.trim())));
  if (whole === undefined || part === undefined) return places;
  for (const place of findPlaces(whole, part)) {
    places.push(place);
    if (places.length === mostPlaces) break;
  }
  return places;
}

/** Without the empty one behind the last line end. */
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline + 1;
    const bare = newline === -1 ? text.length : newline;
    const end = newline !== -1 && text[bare - 1] === '\r' && bare > start ? bare - 1 : bare;
    lines.push({ start, end, next, text: text.slice(start, end) });
    start = next;
  }
  return lines;
}

const textOf = (line: Line): string => line.text;
