import { hasOption, readArguments, listOptionValues, type OptionSpec } from '../shell/words/options.ts';
import type { ShellWord } from '../shell/words/word.ts';

/** One file that a call puts elsewhere: under another name, or into a folder. */
export interface MovedFile {
  from: ShellWord;
  /** The paths at which it may be then. */
  to: readonly ShellWord[];
}

const spec: OptionSpec = { values: 'tSgomZ', long: ['target-directory', 'suffix', 'mode', 'owner', 'group'] };

/** The files that `cp`, `mv`, `ln` and `install` put elsewhere. */
export function movedFiles(name: string, words: readonly ShellWord[]): MovedFile[] {
  if (!/^g?(?:cp|mv|ln|install)$/.test(name)) return [];
  const given = readArguments(words, spec);
  const [folder] = listOptionValues(given, { letter: 't', long: 'target-directory' });
  const target = folder ?? given.operands.at(-1);
  const sources = folder === undefined ? given.operands.slice(0, -1) : given.operands;
  if (target === undefined || hasOption(given.options, { letter: 'd', long: 'directory' }, spec)) return [];
  return sources.map((from) => {
    const inside = { ...target, text: `${target.text}/${from.text.split('/').at(-1) ?? ''}` };
    return { from, to: [target, inside] };
  });
}
