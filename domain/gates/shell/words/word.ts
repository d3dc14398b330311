/** One word of a command, as far as it can be read before the command runs. */
export interface ShellWord {
  /** After quotes and escapes. What only the run will tell is a `hole`; in a pattern, marks that are meant as characters have a backslash. */
  text: string;
  /** `plain`: exactly this text; `pattern`: names of files that fit it; `open`: it has holes. */
  kind: 'plain' | 'pattern' | 'open';
  /** Out of a variable, which has this value or another one: perhaps the word is there. */
  maybe: boolean;
}

/** No text that is read holds it. */
export const hole = '\u0000';

export const plainWord = (text: string): ShellWord => ({ text, kind: 'plain', maybe: false });

export const openWord: ShellWord = { text: hole, kind: 'open', maybe: false };

/** The word is there, and is exactly its text. */
export const isCertain = (word: ShellWord | undefined): word is ShellWord & { kind: 'plain'; maybe: false } =>
  word?.kind === 'plain' && !word.maybe;

/** A program may take such a word for an option. A pattern with a dot or a slash fits only names that are no options. */
export function mayBeOption({ text, kind }: ShellWord): boolean {
  if (text.startsWith('-')) return true;
  if (kind === 'open') return text.startsWith(hole);
  return kind === 'pattern' && /^[*?[]/.test(text) && !/[./]/.test(text);
}

/** The name of a program without its folder, as every system would find it: `/bin/RM` is `rm`, `python3.12` is `python`. */
export function programName(text: string): string {
  const name = (text.split('/').at(-1) ?? '').toLowerCase().replace(/\.exe$/, '');
  return versioned.exec(name)?.[1] ?? name;
}

const versioned =
  /^(python|pypy|perl|ruby|php|lua|node|nodejs|pip|bash|zsh|ksh|awk|gawk|psql|mysql|sqlite|gcc|clang|java|tclsh|guile|julia)-?\d[\d.]*$/;
