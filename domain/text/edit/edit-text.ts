import { charactersOf, findPlaces } from './find-places.ts';
import { editLines } from './edit-lines.ts';
import { nearestLines, type NearestLines } from './nearest-lines.ts';

export interface Edit {
  old: string;
  new: string;
  /** Every place instead of the only one. */
  all: boolean;
}

export type Edited =
  /** `line` is where the first change is, from 1. `white-space`: the old text stood there with other blanks. */
  | { kind: 'edited'; text: string; places: number; line: number; how: 'exact' | 'white-space' }
  /** `lines` are the first of them. `counted` is false when there are more than were counted. */
  | { kind: 'ambiguous'; places: number; counted: boolean; lines: number[] }
  | { kind: 'not-found'; nearest: NearestLines | undefined };

/** Places that are counted before it is only said that there are more. */
const mostCounted = 100;
const namedLines = 5;

/** Replaces a part of a text: as it is written, else with its line ends, else line by line without regard to white space around them. */
export function editText(text: string, edit: Edit): Edited {
  for (const tried of asWritten(text, edit)) {
    const exact = edit.all ? replaceAll(text, tried) : replaceOnly(text, tried);
    if (exact !== undefined) return exact;
  }
  const tolerant = editLines(text, edit);
  if (tolerant === undefined) return { kind: 'not-found', nearest: nearestLines(text, edit.old) };
  return tolerant.kind === 'edited' ? { ...tolerant, places: 1, how: 'white-space' } : ambiguous(text, tolerant.starts);
}

/** Models write `\n`; a file that uses `\r\n` keeps it. One that mixes them is first taken at its word. */
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
  for (const start of findPlaces(charactersOf(text), charactersOf(edit.old))) {
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
  for (const start of findPlaces(charactersOf(text), charactersOf(part))) {
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
