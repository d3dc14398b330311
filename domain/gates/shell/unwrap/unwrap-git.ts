import { innerText, innerWords, hidden, type Inner } from '../words/inner.ts';
import { readArguments, listOptionValues, type OptionSpec } from '../words/options.ts';
import { readGit, runsCode } from './read-git.ts';
import { isCertain, type ShellWord } from '../words/word.ts';

/** Options whose value git hands to a shell, by verb. */
const texts: Readonly<Record<string, OptionSpec & { option: { letter?: string; long?: readonly string[] } }>> = {
  rebase: { values: 'xsXCS', long: ['exec', 'onto', 'strategy'], option: { letter: 'x', long: ['exec'] } },
  difftool: { values: 'xt', long: ['extcmd', 'tool'], option: { letter: 'x', long: ['extcmd'] } },
  'filter-branch': { long: filters(), option: { long: filters() } },
};

function filters(): string[] {
  const names = 'setup env tree index parent msg commit tag-name subdirectory'.split(' ');
  return names.map((name) => (name === 'setup' ? name : `${name}-filter`));
}

/** Programs that git is told to run. */
export function unwrapGit(name: string, words: readonly ShellWord[]): Inner[] | undefined {
  if (name !== 'git') return undefined;
  const { verb, words: rest, config } = readGit(words);
  const fromConfig = config.flatMap(({ key, value }) => unwrapConfig(key, value));
  return [...fromConfig, ...(verb === undefined ? [] : unwrapVerb(verb, rest))];
}

/** That it may run at all is asked elsewhere: here it is read for what is worse. */
function unwrapConfig(key: string, value: ShellWord): Inner[] {
  if (!runsCode(key) || !isCertain(value)) return [];
  if (!key.startsWith('alias.')) return [{ kind: 'text', text: `${value.text} "$@"`, of: [], guess: true }];
  const text = value.text.startsWith('!') ? value.text.slice(1) : `git ${value.text}`;
  return [{ kind: 'text', text: `${text} "$@"`, of: [], guess: true }];
}

function unwrapVerb(verb: string, words: readonly ShellWord[]): Inner[] {
  const spec = Object.hasOwn(texts, verb) ? texts[verb] : undefined;
  if (spec !== undefined)
    return listOptionValues(readArguments(words, spec), spec.option).flatMap((word) => innerText([word]));
  const [, second] = words;
  if (verb === 'bisect' && second?.text === 'run') return innerWords(words.slice(2));
  if (verb !== 'submodule') return [];
  const at = words.findIndex(({ text }) => text === 'foreach');
  if (at === -1) return [];
  const rest = words.slice(at + 1).filter(({ text }) => text !== '--recursive' && text !== '--quiet' && text !== '-q');
  return rest.length === 0 ? [hidden] : innerText(rest);
}
