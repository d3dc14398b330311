import { hasOption, readArguments } from '../shell/words/options.ts';
import { readGit } from '../shell/unwrap/read-git.ts';
import { plainWord, programName, type ShellWord } from '../shell/words/word.ts';
import { containerPaths, withoutLabels } from './container-paths.ts';
import { installTargets } from './install-targets.ts';
import type { PathRole, PathUse } from './path-use.ts';
import { sedFiles } from '../scripts/sed-runs.ts';
import { joinScripts, sedScripts } from '../scripts/sed-scripts.ts';
import { usages, type PathUsage } from './usages.ts';

/** The words of a call that may be paths. `own` are those that no other program gets. */
export function findPathWords(own: readonly ShellWord[]): PathUse[] {
  const [program] = own;
  if (program === undefined) return [];
  const name = programName(program.text);
  const started: PathUse[] = program.text.includes('/') ? [{ word: program, role: 'starts' }] : [];
  const filled = installTargets(name, own).map((word): PathUse => ({ word, role: 'writes' }));
  return [...started, ...findArgumentPaths(name, own), ...filled].flatMap(split);
}

function findArgumentPaths(name: string, words: readonly ShellWord[]): PathUse[] {
  if (/^(?:cd|chdir)$/.test(name) && words.length === 1) return [{ word: plainWord('~'), role: 'reads' }];
  if (name === 'git') return gitPaths(words);
  if (name === 'find' || name === 'gfind') return findPaths(words);
  if (/^g?ln$/.test(name)) return linkPaths(words);
  if (name === 'dd') return ddPaths(words);
  if (name === 'sed' || name === 'gsed') return sedPaths(words);
  if (/^(?:g|bsd)?tar$/.test(name)) return tarPaths(words);
  const usage = Object.hasOwn(usages, name) ? usages[name] : undefined;
  if (usage !== undefined) return knownPaths(words, usage);
  // The program that runs a container is no part of the sandbox: what does not exist yet, it makes.
  if (/^(?:docker|podman|nerdctl|docker-compose|podman-compose)$/.test(name))
    return containerPaths(words) ?? unknownPaths(withoutLabels(words));
  return unknownPaths(words).map((use) => (use.role === 'writes' ? use : { ...use, mayBeData: true }));
}

function knownPaths(words: readonly ShellWord[], usage: PathUsage): PathUse[] {
  if (usage.data === 'all' && usage.values === undefined) return [];
  const { operands, values, options } = readArguments(words, usage);
  const skips = options.some(({ text }) => usage.dataByOption?.test(text) === true) ? 0 : (usage.data ?? 0);
  const paths = skips === 'all' ? [] : operands.slice(skips);
  const isWritten = writtenBy(
    usage,
    paths,
    values.some(({ option }) => usage.writeOptions?.test(option) === true),
  );
  const marks = usage.attributes === true ? 'marks' : 'writes';
  const target = paths.at(-1);
  return [
    ...paths.map((word): PathUse => ({ word, role: isWritten(word) ? marks : 'reads' })),
    // Into a folder: what is written has the name of the source.
    ...(usage.writes === 'last' && target !== undefined
      ? paths.slice(0, -1).flatMap((word) => inside(target, word))
      : []),
    ...values
      .filter(({ option }) => usage.dataOptions?.test(option) !== true)
      .map(({ option, word }): PathUse => ({
        word,
        role: usage.writeOptions?.test(option) === true ? 'writes' : 'reads',
      })),
    ...options
      .filter(({ text }) => text.includes('=') && usage.dataOptions?.test(text) !== true)
      .map(({ text }): PathUse => ({
        word: plainWord(text.slice(text.indexOf('=') + 1)),
        // A value that a program that writes is given by an option that is not known may be a file, too.
        role: usage.writeOptions?.test(text) === true ? 'writes' : unknownRole(usage),
      })),
  ];
}

const unknownRole = ({ writes = 'none', attributes = false }: PathUsage): PathRole =>
  writes === 'none' || attributes ? 'reads' : 'writes';

function writtenBy(usage: PathUsage, paths: readonly ShellWord[], hasTarget: boolean): (word: ShellWord) => boolean {
  switch (usage.writes) {
    case 'all':
    case 'rest':
      return () => true;
    case 'last':
      return (word) => !hasTarget && paths.length > 1 && word === paths.at(-1);
    case 'second':
      return (word) => word === paths[1];
    default:
      return () => false;
  }
}

const inside = (folder: ShellWord, { text, kind }: ShellWord): PathUse[] => {
  const name = text.replace(/\/+$/, '').split('/').at(-1) ?? '';
  const isPlain = kind === 'plain' && folder.kind === 'plain' && name !== '' && !/^\.{1,2}$/.test(name);
  return isPlain ? [{ word: { ...folder, text: `${folder.text}/${name}` }, role: 'writes' }] : [];
};

/** Options that name what a program makes. */
const outputs = /^(?:-o|--?(?:key)?out(?:put|file)?(?:-\w+)?|--dest\w*|--target)$/;

function unknownPaths(words: readonly ShellWord[]): PathUse[] {
  return words.slice(1).flatMap((word, at): PathUse[] => {
    const before = words[at]?.text ?? '';
    if (word.text.startsWith('-')) {
      const equals = word.text.indexOf('=');
      if (equals === -1) return attached(word);
      const role = outputs.test(word.text.slice(0, equals)) ? 'writes' : 'reads';
      return [{ word: { ...word, text: word.text.slice(equals + 1) }, role }];
    }
    if (outputs.test(before)) return [{ word, role: 'writes' }];
    const isValue = at > 0 && before.startsWith('-') && !before.includes('=');
    return [{ word, role: isValue ? 'reads' : 'uses' }];
  });
}

/** `-I/usr/include`: one slash alone separates something. */
function attached(word: ShellWord): PathUse[] {
  const path = /^-[A-Za-z]+((?:\/|~\/|\.\.\/).+)$/.exec(word.text)?.[1];
  return path === undefined ? [] : [{ word: { ...word, text: path }, role: 'reads' }];
}

/** A word may hold several paths: `src=/a,dst=/b`, `/a:/b`, `@/a`, `file:///a`. An address of the network is not a path. */
function split({ word, role, ...more }: PathUse): PathUse[] {
  if (role === 'starts') return [{ word, role }];
  const { text } = word;
  if (/^file:\/\//i.test(text)) return [{ word: { ...word, text: text.slice('file://'.length) }, role, ...more }];
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[\w.-]+@[\w.-]+:/.test(text)) return [];
  const pieces = text.split(/[=:,@]/).filter((piece, at) => at > 0 && /^(?:\/|~|\.\.(?:\/|$))/.test(piece));
  return [text, ...pieces].map((piece) => ({ word: { ...word, text: piece }, role, ...more }));
}

/** Folders to search come first; the rest are conditions. */
function findPaths(words: readonly ShellWord[]): PathUse[] {
  const end = words.findIndex(({ text }, at) => at > 0 && /^(?:-(?![HLPDO])|[(!])/.test(text));
  const folders = words.slice(1, end === -1 ? undefined : end).filter(({ text }) => !text.startsWith('-'));
  const named = words.flatMap((word, at): PathUse[] => {
    const before = words[at - 1]?.text ?? '';
    if (/^-f(?:print0?|printf|ls)$/.test(before)) return [{ word, role: 'writes' }];
    return /^-(?:[ac]?newer|samefile|files0-from)$/.test(before) ? [{ word, role: 'reads' }] : [];
  });
  return [...folders.map((word): PathUse => ({ word, role: 'reads' })), ...named];
}

/** A symbolic link is followed from where it is, whether its name is a folder or not. */
function linkPaths(words: readonly ShellWord[]): PathUse[] {
  const uses = knownPaths(words, usages['cp'] ?? {});
  const { options, operands } = readArguments(words, usages['cp']);
  const link = operands.at(-1);
  if (link?.kind !== 'plain' || operands.length < 2 || !hasOption(options, { letter: 's', long: 'symbolic' }))
    return uses;
  const folders = [link.text, link.text.split('/').slice(0, -1).join('/') || '.'];
  const targets = operands.slice(0, -1).filter(({ text }) => !text.startsWith('/') && !text.startsWith('~'));
  return [
    ...uses.filter(({ word, role }) => role !== 'reads' || !targets.includes(word)),
    ...targets.flatMap((word) =>
      folders.map((folder): PathUse => ({ word: { ...word, text: `${folder}/${word.text}` }, role: 'reads' })),
    ),
  ];
}

const ddPaths = (words: readonly ShellWord[]): PathUse[] =>
  words.slice(1).flatMap((word): PathUse[] => {
    const [key = ''] = word.text.split('=');
    if (key !== 'if' && key !== 'of') return [];
    return [{ word: { ...word, text: word.text.slice(key.length + 1) }, role: key === 'of' ? 'writes' : 'reads' }];
  });

function sedPaths(words: readonly ShellWord[]): PathUse[] {
  const spec = { values: 'efl', long: ['expression', 'file', 'line-length'] };
  const { options, operands } = readArguments(words, spec);
  const { scripts, files } = sedScripts(words);
  const inPlace = hasOption(options, { letter: 'i', long: 'in-place' }, spec);
  const printed = sedFiles(joinScripts(scripts)).map((path) => plainWord(path));
  return [
    ...operands
      .filter((word) => !scripts.includes(word))
      .map((word): PathUse => ({ word, role: inPlace ? 'writes' : 'reads' })),
    ...[...files, ...printed].map((word): PathUse => ({ word, role: 'reads' })),
  ];
}

/** Its first word may be a cluster without a dash. */
function tarPaths(words: readonly ShellWord[]): PathUse[] {
  const [program, first, ...rest] = words;
  if (program === undefined || first === undefined) return [];
  const dashed = /^[a-zA-Z]+$/.test(first.text) ? [program, { ...first, text: `-${first.text}` }, ...rest] : words;
  const spec = {
    values: 'fCTXIbgKLNV',
    long: [
      'file',
      'directory',
      'files-from',
      'exclude',
      'exclude-from',
      'use-compress-program',
      'transform',
      'strip-components',
    ],
  };
  const { options, operands, values } = readArguments(dashed, spec);
  const makes =
    Array.from('cruA').some((letter) => hasOption(options, { letter }, spec)) ||
    hasOption(options, { long: ['create', 'append', 'update', 'delete', 'catenate', 'concatenate'] });
  return [
    ...operands.map((word): PathUse => ({ word, role: makes ? 'reads' : 'writes' })),
    ...values
      .filter(({ option }) => /^(?:-[fCTX]|--(?:fi|di|exclude-f))/.test(option))
      .map(({ option, word }): PathUse => {
        const isArchive = /^(?:-f|--f)/.test(option) && !/^--files-/.test(option);
        const writes = isArchive ? makes : /^(?:-C|--di)/.test(option) && !makes;
        return { word, role: writes ? 'writes' : 'reads' };
      }),
  ];
}

/** Verbs whose paths are overwritten or deleted. */
const gitWriters = /^(?:rm|mv|checkout|restore|clean|checkout-index)$/;
const gitOutput = /^(?:-o|--ou)/;
const gitData =
  /^(?:-[mSGLnCcuU]|--(?:message|author|date|grep|format|pretty|since|until|after|before|committer|sort|max|pickaxe|trailer|abbrev|contains|merged|points|push-option|depth|branch|origin|jobs))/;

/** Operands that git writes: all of some verbs, the last one where a repository or an archive is made. */
function gitWritten(verb: string, operands: readonly ShellWord[]): readonly ShellWord[] {
  if (gitWriters.test(verb)) return operands;
  const [first] = operands;
  const makes =
    (verb === 'clone' && operands.length > 1) ||
    verb === 'init' ||
    (verb === 'bundle' && first?.text === 'create' && operands.length > 1);
  if (makes) return operands.slice(verb === 'bundle' ? 1 : -1, verb === 'bundle' ? 2 : undefined);
  return verb === 'worktree' && /^(?:add|move)$/.test(first?.text ?? '') ? operands.slice(1) : [];
}

function gitPaths(words: readonly ShellWord[]): PathUse[] {
  const { verb, words: rest, folders } = readGit(words);
  const { operands, values, options } = readArguments(rest, {
    values: verb === 'config' ? 'f' : verb === 'ls-files' ? 'xX' : 'mSGLnCcuUFoObjt',
    long: [
      'message',
      'author',
      'date',
      'grep',
      'file',
      'output',
      'output-directory',
      'template',
      'reference',
      'separate-git-dir',
    ],
  });
  const written = gitWritten(verb ?? '', operands);
  // The first word of `git grep` is what it looks for, and those behind it are revisions or paths.
  const isData = verb === 'config';
  const pathOperands = verb === 'grep' ? operands.slice(1) : operands;
  return [
    ...folders.map((word): PathUse => ({ word, role: 'reads' })),
    ...(isData
      ? []
      : pathOperands.map((word): PathUse => ({ word, role: written.includes(word) ? 'writes' : 'reads' }))),
    ...values
      .filter(({ option }) => !gitData.test(option))
      .map(({ option, word }): PathUse => ({ word, role: gitOutput.test(option) ? 'writes' : 'reads' })),
    ...options
      .filter(({ text }) => text.includes('=') && !gitData.test(text))
      .map(({ text }): PathUse => ({
        word: plainWord(text.slice(text.indexOf('=') + 1)),
        role: gitOutput.test(text) ? 'writes' : 'reads',
      })),
  ];
}
