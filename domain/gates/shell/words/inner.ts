import type { VariableAssignment } from './command-reading.ts';
import { isCertain, type ShellWord } from './word.ts';

/** Programs and texts that a program starts in turn, according to its words. */
export type Inner =
  /** `inPlace`: in the shell itself, so that a `cd` lasts. */
  | { kind: 'words'; words: readonly ShellWord[]; folder?: ShellWord; inPlace?: boolean }
  /** A shell reads it, put together from words; `guess`: perhaps. */
  | { kind: 'text'; text: string; of: readonly ShellWord[]; guess?: boolean; sharesInput?: boolean }
  /** Perhaps it is a program. */
  | { kind: 'guess'; words: readonly ShellWord[] }
  | { kind: 'setting'; setting: VariableAssignment }
  | { kind: 'problem'; why: string };

export const hidden: Inner = {
  kind: 'problem',
  why: 'What it runs inside of another program is only known when it runs.',
};

export const innerWords = (words: readonly ShellWord[]): Inner[] =>
  words.length === 0 ? [] : [{ kind: 'words', words }];

/** The words as one text for a shell. */
export function innerText(words: readonly ShellWord[]): Inner[] {
  if (words.length === 0) return [];
  return words.every(isCertain)
    ? [{ kind: 'text', text: words.map(({ text }) => text).join(' '), of: words }]
    : [hidden];
}

/** One text, and words that a shell puts behind it. */
export const innerWithArguments = (word: ShellWord | undefined): Inner[] => {
  if (word === undefined) return [];
  return isCertain(word) ? [{ kind: 'text', text: `${word.text} "$@"`, of: [word] }] : [hidden];
};
