import { findPlaces, asItems } from './find-places.ts';
import { indentAs } from './indent-as.ts';

export type LinesEdited =
  | { kind: 'edited'; text: string; line: number }
  /** The old lines occur several times; the starts are indexes of characters. */
  | { kind: 'ambiguous'; starts: number[] };

interface Line {
  start: number;
  /** The end of its text; `next` is the end of its line break. */
  end: number;
  next: number;
  text: string;
}

/** The search stops one place above the limit that is reported. */
const mostPlaces = 101;

/** Replaces whole lines that match except for white space at their ends; the new lines are indented as in the file. */
export function editLines(text: string, edit: { old: string; new: string }): LinesEdited | undefined {
  const oldLines = splitLines(edit.old);
  if (oldLines.every((line) => line.text.trim() === '')) return undefined;
  const lines = splitLines(text);
  const places = findLinePlaces(lines, oldLines);
  const [place] = places;
  if (place === undefined) return undefined;
  const met = lines.slice(place, place + oldLines.length);
  const [first, last] = [met[0], met.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (places.length > 1) return { kind: 'ambiguous', starts: places.map((at) => lines[at]?.start ?? 0) };
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const indented = indentAs(edit.new, oldLines.map(lineText), met.map(lineText));
  const wholeLines = edit.old.endsWith('\n');
  // The last line of a file may have no line break, so the new one gets none either.
  const fits = wholeLines && last.end === last.next ? indented.replace(/\n$/, '') : indented;
  const behind = text.slice(wholeLines ? last.next : last.end);
  return {
    kind: 'edited',
    text: text.slice(0, first.start) + fits.replace(/\n/g, lineEnd) + behind,
    line: place + 1,
  };
}

function findLinePlaces(lines: readonly Line[], oldLines: readonly Line[]): number[] {
  const places: number[] = [];
  const [whole, part] = [lines, oldLines].map((some) => asItems(some.map((line) => line.text.trim())));
  if (whole === undefined || part === undefined) return places;
  for (const place of findPlaces(whole, part)) {
    places.push(place);
    if (places.length === mostPlaces) break;
  }
  return places;
}

/** Splits a text into lines, without an empty one after the last line break. */
function splitLines(text: string): Line[] {
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

const lineText = (line: Line): string => line.text;
