import { isInTable } from './find-verb.ts';
import { localDeletes } from './local-deletes.ts';
import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import { hasOption, readArguments } from '../shell/words/options.ts';
import { mayBeOption, type ShellWord } from '../shell/words/word.ts';

/** Programs that delete for good whatever they are told; a file that was overwritten by `truncate` or `>` is in the snapshot. */
const always = new Set('rimraf premove shred srm wipe scrub del-cli rmrf safe-rm sfill sswap nwipe'.split(' '));

/** Recursive or forced deletes, in any spelling. */
export function deletes(name: string, words: readonly ShellWord[]): GateFinding[] {
  if (name === 'rm' || name === 'grm') return removes(name, words);
  if (/^(?:g?find|fd|fdfind)$/.test(name)) return finds(name, words);
  if (!always.has(name) && !isInTable(name, words, localDeletes)) return [];
  return [ask('delete', `${quoteWord(name)} deletes with everything inside, or for good.`)];
}

function removes(name: string, words: readonly ShellWord[]): GateFinding[] {
  const { options: given, operands } = readArguments(words);
  const recursive = ['r', 'R'].some((letter) => hasOption(given, { letter, long: 'recursive' }));
  if (recursive || hasOption(given, { letter: 'f', long: 'force' }))
    return [ask('delete', `${quoteWord(name)} deletes folders with everything in them, or files by force.`)];
  const isOpen = [...given, ...operands].some(
    (word) => word.kind === 'open' || (word.kind === 'pattern' && mayBeOption(word)),
  );
  return isOpen ? [ask('unclear', `What ${quoteWord(name)} deletes is only known when it runs.`)] : [];
}

/** Removing each file that is found is a recursive delete, whatever the options are. */
function finds(name: string, words: readonly ShellWord[]): GateFinding[] {
  const acts = words.some(
    ({ text }, at) => /^(?:-(?:exec|execdir|ok|okdir|x|X)|--exec(?:-batch)?)$/.test(text) && isRemover(words[at + 1]),
  );
  const names = words.some(({ text }) => /^--exec(?:-batch)?=(?:.*\/)?(?:rm|unlink|shred|rimraf)\b/.test(text));
  const deletesAll = words.some(({ text }) => text === '-delete');
  return acts || names || deletesAll ? [ask('delete', `${quoteWord(name)} deletes every file that it finds.`)] : [];
}

const isRemover = (word: ShellWord | undefined): boolean =>
  /(?:^|\/)(?:rm|unlink|shred|rimraf)$/.test(word?.text ?? '');
