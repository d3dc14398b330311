import { hasVerbs } from '../programs/verbs.ts';
import type { ShellWord } from '../shell/words/word.ts';

/** A command of a program with many: its verbs, and an option without which it is harmless. */
export interface VerbRule {
  verbs: string;
  option?: RegExp;
}

/** Commands by program. A text is a command that needs no option. */
export type VerbTable = Readonly<Record<string, readonly (string | VerbRule)[]>>;

/** A call may be among the commands of a table. */
export function isInTable(name: string, words: readonly ShellWord[], table: VerbTable): boolean {
  const rules = Object.hasOwn(table, name) ? table[name] : undefined;
  return (
    rules?.some((rule) => {
      if (typeof rule === 'string') return rule === '' || hasVerbs(words, rule);
      const { verbs, option } = rule;
      return (verbs === '' || hasVerbs(words, verbs)) && (option === undefined || hasWord(words, option));
    }) ?? false
  );
}

/** A call may only show something, by an option such as `--dry-run` before `--` that is not taken back (`--dry-run false`). */
export function onlyShows(words: readonly ShellWord[], pattern: RegExp): boolean {
  const end = words.findIndex(({ text }) => text === '--');
  const own = end === -1 ? words : words.slice(0, end);
  if (own.some(({ text }) => /^--(?:no-)?dry-run=|^--no-dry-run$/.test(text))) return false;
  return own.some(({ text }, at) => at > 0 && pattern.test(text) && !/^(?:false|0|no)$/.test(own[at + 1]?.text ?? ''));
}

export const hasWord = (words: readonly ShellWord[], pattern: RegExp): boolean =>
  words.some(({ text }, at) => at > 0 && pattern.test(text));
