import type { ShellWord } from '../shell/words/word.ts';

/** Without a mark of the shell in it. */
const bare = /^[\w@%+=:,./~^-]+$/;

/** A word as it would be typed; undefined where only the run tells what it is. */
export function showExactly({ text, kind, maybe }: ShellWord): string | undefined {
  if (maybe || kind === 'open') return undefined;
  if (kind === 'pattern') return /^[\w@%+=:,./~^*?[\]{}!-]+$/.test(text) ? text : undefined;
  if (bare.test(text)) return text;
  return /^[ -~]*$/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `$'${escapeAll(text)}'`;
}

/** One line of printable characters. */
const escapeAll = (text: string): string =>
  text
    .replaceAll(/['\\]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** All words of a call as they would be typed; undefined where one of them is only known when it runs. */
export function showAll(words: readonly ShellWord[]): string | undefined {
  const shown = words.map(showExactly);
  return shown.every((one) => one !== undefined) ? shown.join(' ') : undefined;
}
