import { mayNameSecret } from '../../../workspace/secret-path.ts';
import { readArguments, type OptionSpec } from '../words/options.ts';
import type { ProgramInput } from '../words/command-reading.ts';
import type { ShellWord } from '../words/word.ts';

/*
 * Programs that print names of files below the folder that they run in, and nothing else. What such a name is given to by `xargs` changes
 * files of the workspace, as `find -exec` does. Where secrets are among the names that are looked for, nothing is known of them.
 */

type Lists = (words: readonly ShellWord[]) => boolean;

/** Leads nowhere else, whatever it stands for. */
const isBelow = ({ text, kind }: ShellWord): boolean =>
  kind !== 'open' && !/^[/~-]/.test(text) && !text.split('/').some((part) => /^\.[.*?[]/.test(part));

const findActs = /^-(?:exec|execdir|ok|okdir|delete|printf|fprint0?|fprintf|fls|ls|follow|files0-from)$/;

/** Options before the folders may make it follow links. */
const find: Lists = (words) => {
  if (/^-[HLPDO]/.test(words[1]?.text ?? '')) return false;
  const end = words.findIndex(({ text }, at) => at > 0 && /^[-(!]/.test(text));
  const roots = words.slice(1, end === -1 ? undefined : end);
  return roots.every(isBelow) && words.slice(1).every(({ text, kind }) => kind !== 'open' && !findActs.test(text));
};

const searchSpec: OptionSpec = {
  values: 'efmABCdDgtT',
  long: ['regexp', 'file', 'include', 'exclude', 'exclude-dir', 'glob', 'type', 'max-count'],
};

/** `grep -rl WORD FOLDER`: without the option it prints lines. Through links it may lead elsewhere. */
const search =
  (names: RegExp, odd: RegExp): Lists =>
  (words) => {
    const { options, operands, values } = readArguments(words, searchSpec);
    const isOdd = options.some(({ text, kind }) => kind === 'open' || odd.test(text));
    const hasPattern =
      values.some(({ option }) => /^(?:-[ef]|--(?:reg|file$))/.test(option)) ||
      words.some(({ text }) => text === '--files');
    const paths = operands.slice(hasPattern ? 0 : 1);
    return !isOdd && options.some(({ text }) => names.test(text)) && paths.every(isBelow);
  };

const grep = search(/^(?:-[a-zA-Z0-9]*[lL]|--files-with)/, /^(?:-[a-zA-Z0-9]*R|--(?:col|deref|dir))/);
const rg = search(
  /^(?:-[a-zA-Z0-9]*l|--files)/,
  /^(?:-[a-zA-Z0-9]*[LfzE]|--(?:col|pre|host|pager|search-zip|follow|hidden|path-sep))/,
);

const git: Lists = (words) => {
  const [, verb, ...rest] = words;
  const isNamed = rest.some(({ text }) => text === '--name-only');
  const isList = verb?.text === 'ls-files' || (verb?.text === 'diff' && isNamed);
  const isOdd = rest.some(
    (word) =>
      word.kind === 'open' ||
      /^(?:-s|--stage|--debug|--eol|--format|--ext-diff|--no-index|--unmerged|-u|--src|--dst|--line-prefix)/.test(
        word.text,
      ) ||
      /(?:^|\/)\.\.(?:\/|$)/.test(word.text),
  );
  return isList && !isOdd;
};

const ls: Lists = (words) =>
  words.slice(1).every((word) => (word.text.startsWith('-') ? /^-[1trSd]+$/.test(word.text) : isBelow(word)));

const listers: Readonly<Record<string, Lists>> = {
  ...{ find, gfind: find, grep, egrep: grep, fgrep: grep, rg, ag: rg, git, ls },
};

/** Programs that pass some of the lines on as they are. */
const filters: Readonly<Record<string, RegExp>> = {
  head: /^-(?:n|\d+|n\d+)$|^\d+$/,
  tail: /^-(?:n|\d+|n\d+)$|^\d+$/,
  sort: /^-[urzV]+$/,
  uniq: /^$/,
};

/** The output of a program that prints names of files; undefined: something else. */
export function listedFiles(name: string, words: readonly ShellWord[], input: ProgramInput): ProgramInput | undefined {
  const lister = Object.hasOwn(listers, name) ? listers[name] : undefined;
  const isFilter =
    Object.hasOwn(filters, name) && words.slice(1).every(({ text }) => filters[name]?.test(text) === true);
  if (input.kind === 'files') return isFilter || isGrepFilter(name, words) ? input : undefined;
  if (lister === undefined || !lister(words) || words.some(({ text }) => mayNameSecret(text))) return undefined;
  return { kind: 'files' };
}

/** `| grep -v test`. */
const isGrepFilter = (name: string, words: readonly ShellWord[]): boolean => {
  const { options, operands } = readArguments(words);
  return /^[ef]?grep$/.test(name) && operands.length === 1 && options.every(({ text }) => /^-[viEFw]+$/.test(text));
};
