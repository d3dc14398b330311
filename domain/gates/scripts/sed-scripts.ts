import { readArguments, listOptionValues, type OptionSpec } from '../shell/words/options.ts';
import type { ShellWord } from '../shell/words/word.ts';

const sedSpec: OptionSpec = { values: 'efl', long: ['expression', 'file', 'line-length'] };

/** The scripts that a call of sed is given: as words, and as files. */
export function sedScripts(words: readonly ShellWord[]): {
  scripts: readonly ShellWord[];
  files: readonly ShellWord[];
} {
  const given = readArguments(words, sedSpec);
  const files = listOptionValues(given, { letter: 'f', long: 'file' });
  const expressions = listOptionValues(given, { letter: 'e', long: 'expression' });
  const isGiven = files.length + expressions.length > 0;
  return { scripts: isGiven ? expressions : given.operands.slice(0, 1), files };
}

/** The text that several scripts of one call come to. */
export const joinScripts = (scripts: readonly ShellWord[]): string => scripts.map(({ text }) => text).join('\n');
