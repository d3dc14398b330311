import { hasOption, readArguments, listOptionValues, type OptionSpec } from '../shell/words/options.ts';
import { readGit } from '../shell/unwrap/read-git.ts';
import type { ShellWord } from '../shell/words/word.ts';

/*
 * Places that programs are told to fill, in ways of their own: an option that is a place only for this program, a variable among the words, a
 * letter with the place right behind it. Each is written, beside whatever else the words of the program mean.
 */

type Targets = (words: readonly ShellWord[]) => readonly ShellWord[];

/** Values of options, for the verbs that install; without verbs, always. */
const byOption =
  (option: { letter?: string; long?: string | readonly string[] }, verbs?: RegExp): Targets =>
  (words) => {
    const long = typeof option.long === 'string' ? [option.long] : (option.long ?? []);
    const spec: OptionSpec = { ...(option.letter === undefined ? {} : { values: option.letter }), long };
    const isMeant = verbs === undefined || words.some(({ text }, at) => at > 0 && verbs.test(text));
    return isMeant ? listOptionValues(readArguments(words, spec), option) : [];
  };

/** The rest of a word behind its letter: `-o/usr`. */
const attached =
  (letter: string): Targets =>
  (words) =>
    words
      .slice(1)
      .filter(({ text }) => text.startsWith(`-${letter}`) && text.length > 2)
      .map((word) => ({ ...word, text: word.text.slice(2) }));

/** `make install DESTDIR=/x`. */
const variables: Targets = (words) => {
  const isInstall = words.some(({ text }) => /^(?:[\w-]*-)?install(?:-[\w-]*)?$/.test(text));
  return words.flatMap((word) => {
    const place = /^(?:DESTDIR|INSTALL_ROOT|(?:exec_)?prefix|PREFIX|bindir|BINDIR)=(.+)$/.exec(word.text)?.[1];
    return isInstall && place !== undefined ? [{ ...word, text: place }] : [];
  });
};

const folders: Targets = (words) => {
  const spec = { values: 'tSgomZ', long: ['target-directory', 'mode', 'owner', 'group', 'suffix'] };
  const { options, operands } = readArguments(words, spec);
  return hasOption(options, { letter: 'd', long: 'directory' }, spec) ? operands : [];
};

const git: Targets = (words) => {
  const { verb, words: rest, folders: from } = readGit(words);
  const { operands } = readArguments(rest, {
    values: 'bocujB',
    long: ['branch', 'origin', 'config', 'depth', 'jobs', 'reference', 'filter', 'template', 'initial-branch'],
  });
  if (verb === 'clone') return operands.slice(1);
  if (verb === 'init') return operands.length === 0 ? from : operands;
  return verb === 'worktree' && operands[0]?.text === 'add' ? operands.slice(1, 2) : [];
};

/** Virtual environments: behind the module, or behind the program. */
const environments =
  (after: RegExp | undefined): Targets =>
  (words) => {
    const start = after === undefined ? 0 : words.findIndex(({ text }) => after.test(text));
    return start === -1 ? [] : readArguments(words.slice(start), { values: 'p', long: ['prompt', 'python'] }).operands;
  };

const compiler = attached('o');
const zip = attached('o');
const npm = byOption({ letter: 'C', long: ['prefix', 'dir', 'cwd'] }, /^(?:i|install|add|ci|link|update|up)$/);
const pip = byOption({ letter: 't', long: ['target', 'prefix', 'root'] }, /^(?:install|download|wheel)$/);

const targets: Readonly<Record<string, readonly Targets[]>> = {
  ...{ '7z': [zip], '7za': [zip], '7zr': [zip], '7zz': [zip] },
  ...{
    gcc: [compiler],
    'g++': [compiler],
    cc: [compiler],
    'c++': [compiler],
    clang: [compiler],
    'clang++': [compiler],
  },
  ...{ ld: [compiler], install: [folders], ginstall: [folders], git: [git] },
  ...{ make: [variables], gmake: [variables], ninja: [variables] },
  cargo: [byOption({ long: 'root' }, /^(?:install|uninstall)$/)],
  cmake: [byOption({ long: 'prefix' }, /^--install$/)],
  ...{ npm: [npm], pnpm: [npm], yarn: [npm], bun: [npm], pip: [pip], uv: [pip, environments(/^venv$/)] },
  ...{ virtualenv: [environments(undefined)], pyvenv: [environments(undefined)] },
  python: [
    environments(/^(?:venv|virtualenv)$/),
    (words) => (words.some(({ text }) => text === 'pip') ? pip(words) : []),
  ],
  gem: [byOption({ letter: 'i', long: ['install-dir', 'bindir'] }, /^(?:install|update)$/)],
  ...{ conda: [byOption({ letter: 'p', long: 'prefix' })], mamba: [byOption({ letter: 'p', long: 'prefix' })] },
  composer: [byOption({ letter: 'd', long: 'working-dir' })],
  bundle: [byOption({ long: 'path' }, /^install$/)],
  dotnet: [byOption({ long: 'tool-path' })],
  ...{ rustup: [byOption({ long: 'prefix' })], stack: [byOption({ long: 'local-bin-path' })] },
  cabal: [byOption({ long: ['installdir', 'prefix'] })],
};

/** Places that a call fills. */
export function installTargets(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const finders = Object.hasOwn(targets, name) ? targets[name] : undefined;
  return (finders ?? []).flatMap((find) => find(words));
}
