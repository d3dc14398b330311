import { stripVTControlCharacters } from 'node:util';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { displayWidth, firstCharacter, fit, fitEnd, lastCharacter } from '../text/terminal-text.ts';
import { written, type Key, type Press } from './key.ts';

/** A line that a person writes, as what is before the cursor and what is after it. */
export interface TextEntry {
  before: string;
  after: string;
}

export const emptyEntry: TextEntry = { before: '', after: '' };

export const entryText = ({ before, after }: TextEntry): string => before + after;

/** The line after a key; keys that write and change nothing leave it as it is. */
export function pressInEntry(entry: TextEntry, press: Press): TextEntry {
  if ('pasted' in press) return insert(entry, harmless(press.pasted));
  const change = changes[formatKey(press)];
  return change === undefined ? insert(entry, written(press)) : change(entry);
}

const formatKey = ({ name = '', ctrl }: Key): string => (ctrl ? `ctrl-${name}` : name);

const backspace = (entry: TextEntry): TextEntry => ({ ...entry, before: lastCharacter(entry.before)[0] });
const home = (entry: TextEntry): TextEntry => ({ before: '', after: entryText(entry) });
const end = (entry: TextEntry): TextEntry => ({ before: entryText(entry), after: '' });

/** As a shell has them. */
const changes: Readonly<Record<string, (entry: TextEntry) => TextEntry>> = {
  backspace,
  'ctrl-h': backspace,
  delete: (entry) => ({ ...entry, after: firstCharacter(entry.after)[1] }),
  left: ({ before, after }) => {
    const [rest, last] = lastCharacter(before);
    return { before: rest, after: last + after };
  },
  right: ({ before, after }) => {
    const [first, rest] = firstCharacter(after);
    return { before: before + first, after: rest };
  },
  home,
  'ctrl-a': home,
  end,
  'ctrl-e': end,
  'ctrl-u': ({ after }) => ({ before: '', after }),
  'ctrl-k': ({ before }) => ({ before, after: '' }),
  'ctrl-w': ({ before, after }) => ({ before: before.replace(/\S*\s*$/u, ''), after }),
};

function insert(entry: TextEntry, text: string): TextEntry {
  const room = limits.instruction - entryText(entry).length;
  return text.length > room ? entry : { ...entry, before: entry.before + text };
}

/** Lines stay lines; everything else that a terminal obeys goes. */
function harmless(text: string): string {
  const lines = stripVTControlCharacters(text).replace(/\r\n?/g, '\n');
  return lines.replace(/(?:(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/gu, ' ');
}

const cursor = '▏';

/** The part of the line around the cursor that fits, on one line. */
export function showEntry({ before, after }: TextEntry, columns: number): string {
  const [left, right] = [before, after].map((text) => text.replace(/\n/g, '⏎')) as [string, string];
  const room = Math.max(0, columns - 1);
  const kept = fitEnd(left, Math.max(Math.ceil(room / 2), room - displayWidth(right)));
  return fit(`${kept}${cursor}${fit(right, Math.max(0, room - displayWidth(kept)))}`, columns);
}
