import { ask, quoteWord, type GateFinding } from '../findings/finding.ts';
import { readArguments, listOptionValues } from '../shell/words/options.ts';
import type { ShellWord } from '../shell/words/word.ts';
import { showAll } from '../standing/exact-words.ts';

/** The people who gain rights by a mode. */
interface Gain {
  /** Everybody may write. */
  everybody: boolean;
  /** A person who starts the file gets the rights of its owner. */
  owner: boolean;
}

const clause = /^([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]|[0-7]+))+)$/;

/** `o+w`, `a=rwx`, `777`, `u+s`, `4755`; without a name, a mode is cut by the umask. */
function readGain(mode: string): Gain {
  if (/^[0-7]+$/.test(mode)) return readNumericGain(mode);
  const gains = mode.split(',').flatMap((part) => {
    const [, who = '', changes = ''] = clause.exec(part) ?? [];
    return [...changes.matchAll(/([-+=])([rwxXstugo]*|[0-7]+)/g)].map(([, sign, what = '']): Gain => {
      if (sign === '-') return { everybody: false, owner: false };
      if (/^[0-7]+$/.test(what)) return readNumericGain(what);
      return {
        everybody: /[oa]/.test(who) && /[wug]/.test(what),
        owner: what.includes('s') && /^[uga]*o?$/.test(who) && who !== 'o',
      };
    });
  });
  return { everybody: gains.some(({ everybody }) => everybody), owner: gains.some(({ owner }) => owner) };
}

function readNumericGain(mode: string): Gain {
  const bits = Number.parseInt(mode.slice(-6), 8);
  return { everybody: (bits & 0o2) !== 0, owner: (bits & 0o6000) !== 0 };
}

const withModeOption = new Set(['install', 'mkdir', 'mkfifo', 'mknod', 'ginstall']);

export function permissions(name: string, words: readonly ShellWord[]): GateFinding[] {
  if (name === 'umask') return umasks(words);
  if (name === 'setfacl') return accessLists(words);
  const modes = findModes(name, words);
  if (modes.some(({ kind }) => kind === 'open'))
    return [ask('unclear', `Which mode ${quoteWord(name)} sets is only known when it runs.`)];
  return modes.flatMap(({ text }) => {
    const { everybody, owner } = readGain(text);
    return [
      ...(everybody ? [worldWritable(name, words)] : []),
      ...(owner
        ? [ask('privilege', `${quoteWord(name)} lets everybody run a file with the rights of its owner.`)]
        : []),
    ];
  });
}

const worldWritable = (name: string, words: readonly ShellWord[]): GateFinding =>
  ask('permissions', `${quoteWord(name)} makes files writable for everybody.`, showAll(words));

function findModes(name: string, words: readonly ShellWord[]): ShellWord[] {
  if (withModeOption.has(name)) {
    return listOptionValues(readArguments(words, { values: 'mogtZ', long: ['mode', 'owner', 'group'] }), {
      letter: 'm',
      long: 'mode',
    });
  }
  if (name !== 'chmod' && name !== 'gchmod') return [];
  const isMode = ({ text }: ShellWord): boolean => !/^-(?:[cfvRHLP]+|-.*)$/.test(text);
  const given = words.slice(1);
  if (given.some(({ text }) => text.startsWith('--ref')))
    return given.filter(({ kind }) => kind === 'open').slice(0, 1);
  // Values out of variables may be there or not: then any of the words may be the mode.
  const certain = given.findIndex((word) => isMode(word) && !word.maybe);
  return given.slice(0, certain === -1 ? undefined : certain + 1).filter(isMode);
}

/** A mask says what is taken away. */
function umasks(words: readonly ShellWord[]): GateFinding[] {
  const masks = words.slice(1).filter(({ text }) => !/^-[Sp]+$/.test(text));
  const opens = masks.some(({ text, kind }) => {
    if (kind === 'open') return true;
    return /^[0-7]+$/.test(text) ? (Number.parseInt(text.slice(-6), 8) & 0o2) === 0 : readGain(text).everybody;
  });
  return opens ? [ask('permissions', '`umask` makes every new file writable for everybody.', showAll(words))] : [];
}

const accessLists = (words: readonly ShellWord[]): GateFinding[] =>
  words.some(({ text }) => /(?:^|,)(?:d(?:efault)?:)?o(?:ther)?:[^,]*w/.test(text))
    ? [worldWritable('setfacl', words)]
    : [];
