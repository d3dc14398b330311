import { asCharacters, findPlaces } from './find-places.ts';
import { editLines } from './edit-lines.ts';
import { nearestLines, type NearestLines } from './nearest-lines.ts';

export interface Edit {
  old: string;
  new: string;
  /** Every place is replaced, not a single one. */
  all: boolean;
}

export type Edited =
  /** `line` is the line of the first change, from 1. `white-space`: the old text matched except for blanks. */
  | { kind: 'edited'; text: string; places: number; line: number; how: 'exact' | 'white-space' }
  /** `lines` are the first of the places. `counted` is false when there are more places than were counted. */
  | { kind: 'ambiguous'; places: number; counted: boolean; lines: number[] }
  | { kind: 'not-found'; nearest: NearestLines | undefined };

/** Counting stops at this many places. */
const mostCounted = 100;
const namedLines = 5;

/** Replaces a part of a text: exactly, else with the file's line breaks, else line by line without regard to surrounding white space. */
export function editText(text: string, edit: Edit): Edited {
  for (const tried of asWritten(text, edit)) {
    const exact = edit.all ? replaceAll(text, tried) : replaceOnly(text, tried);
    if (exact !== undefined) return exact;
  }
  const tolerant = editLines(text, edit);
  if (tolerant === undefined) return { kind: 'not-found', nearest: nearestLines(text, edit.old) };
  return tolerant.kind === 'edited' ? { ...tolerant, places: 1, how: 'white-space' } : ambiguous(text, tolerant.starts);
}

/** Models write `\n`, but a file with `\r\n` keeps it. A mixed file is tried with the edit as written first. */
function asWritten(text: string, edit: Edit): Edit[] {
  if (!text.includes('\r\n')) return [edit];
  const withLineEnds = (part: string): string => part.replace(/\r?\n/g, '\r\n');
  const converted = { ...edit, old: withLineEnds(edit.old), new: withLineEnds(edit.new) };
  return /(?<!\r)\n/.test(text) ? [edit, converted] : [converted];
}

function replaceOnly(text: string, edit: Edit): Edited | undefined {
  const starts = firstPlaces(text, edit.old);
  const [start] = starts;
  if (start === undefined) return undefined;
  if (starts.length > 1) return ambiguous(text, starts);
  const edited = text.slice(0, start) + edit.new + text.slice(start + edit.old.length);
  return { kind: 'edited', text: edited, places: 1, line: lineAt(text, start), how: 'exact' };
}

function replaceAll(text: string, edit: Edit): Edited | undefined {
  const parts: string[] = [];
  let end = 0;
  let first: number | undefined;
  for (const start of findPlaces(asCharacters(text), asCharacters(edit.old))) {
    if (start < end) continue;
    first ??= start;
    parts.push(text.slice(end, start));
    end = start + edit.old.length;
  }
  if (first === undefined) return undefined;
  const edited = [...parts, text.slice(end)].join(edit.new);
  return { kind: 'edited', text: edited, places: parts.length, line: lineAt(text, first), how: 'exact' };
}

function firstPlaces(text: string, part: string): number[] {
  const starts: number[] = [];
  for (const start of findPlaces(asCharacters(text), asCharacters(part))) {
    starts.push(start);
    if (starts.length > mostCounted) break;
  }
  return starts;
}

function ambiguous(text: string, starts: readonly number[]): Edited {
  const lines = [...new Set(starts.map((start) => lineAt(text, start)))].slice(0, namedLines);
  return {
    kind: 'ambiguous',
    places: Math.min(starts.length, mostCounted),
    counted: starts.length <= mostCounted,
    lines,
  };
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
