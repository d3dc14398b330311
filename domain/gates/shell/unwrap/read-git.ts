import { readArguments } from '../words/options.ts';
import { isCertain, type ShellWord } from '../words/word.ts';

/** A call of git, its parts named. */
export interface GitCall {
  /** Undefined: none was given. */
  verb: string | undefined;
  /** The verb first, as `readArguments` takes it. */
  words: readonly ShellWord[];
  /** `-C`, `--git-dir`, `--work-tree`: folders that it works in instead. */
  folders: readonly ShellWord[];
  /** Config that it is given for this call, or that it is told to write. */
  config: readonly { key: string; value: ShellWord }[];
  /** Other options before the verb. */
  options: readonly ShellWord[];
  /** It is told by name which repository it works in, whatever is found there. */
  isElsewhere: boolean;
  /** Words before the verb, or the verb itself, are only known at run time. */
  isOpen: boolean;
}

const takeValues = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--config-env',
  '--attr-source',
  '--super-prefix',
]);
const folderOptions = /^(?:-C|--git-dir|--work-tree)$/;

/** `words` begin with git itself. */
export function readGit(words: readonly ShellWord[]): GitCall {
  const folders: ShellWord[] = [];
  const config: { key: string; value: ShellWord }[] = [];
  const options: ShellWord[] = [];
  let isElsewhere = false;
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || !word.text.startsWith('-')) break;
    const [name = '', ...rest] = word.text.split('=');
    const isSplit = rest.length === 0 && takeValues.has(name);
    const value = isSplit ? words[at + 1] : { ...word, text: rest.join('=') };
    if (isSplit) at += 1;
    if (value === undefined) break;
    if (/^--(?:git-dir|work-tree|bare|namespace)$/.test(name)) isElsewhere = true;
    if (folderOptions.test(name)) folders.push(value);
    else if (name === '-c' || name === '--config-env') config.push(splitPair(value));
    else options.push(word);
  }
  const verb = words[at];
  const before = words.slice(1, at);
  const isOpen = [...before, ...(verb === undefined ? [] : [verb])].some((word) => !isCertain(word));
  const rest = words.slice(at);
  const written = verb === undefined ? [] : writtenConfig(verb.text, rest);
  return { verb: verb?.text, words: rest, folders, config: [...config, ...written], options, isElsewhere, isOpen };
}

function splitPair(word: ShellWord): { key: string; value: ShellWord } {
  const [key = '', ...rest] = word.text.split('=');
  return { key: key.toLowerCase(), value: { ...word, text: rest.join('=') } };
}

const configSpec = { values: 'ft', long: ['file', 'blob', 'type', 'default', 'comment', 'value', 'url'] };

/** `git config key value`, `git config set key value`, `git clone -c key=value`. */
function writtenConfig(verb: string, words: readonly ShellWord[]): { key: string; value: ShellWord }[] {
  if (verb === 'clone' || verb === 'init' || verb === 'submodule') {
    return readArguments(words, { values: 'c', long: ['config'] }).values.map(({ word }) => splitPair(word));
  }
  if (verb !== 'config') return [];
  const { operands } = readArguments(words, configSpec);
  const [key, value] = operands[0]?.text === 'set' ? operands.slice(1) : operands;
  return key === undefined || value === undefined || key.text === 'get' ? [] : [{ key: key.text.toLowerCase(), value }];
}

/** Config whose value git runs, or that leads it to code elsewhere. */
export function runsCode(key: string): boolean {
  return /^(?:alias\..*|core\.(?:sshcommand|editor|pager|hookspath|fsmonitor|askpass|gitproxy|attributesfile|worktree|alternaterefscommand)|sequence\.editor|credential(?:\..*)?\.helper|diff\.external|diff\..*\.(?:command|textconv)|merge\..*\.driver|filter\..*\.(?:clean|smudge|process)|pager\..*|gpg(?:\..*)?\.program|uploadpack\.packobjectshook|remote\..*\.(?:uploadpack|receivepack|vcs|proxy)|url\..*\.(?:insteadof|pushinsteadof)|protocol\..*|include(?:if\..*)?\.path|(?:browser|man|mergetool|difftool|guitool|trailer|tar)\..*|init\.templatedir|interactive\.difffilter|clean\.requireforce|ssh\.variant|sendemail\..*|instaweb\..*|submodule\..*\.update|hook\..*)$/.test(
    key,
  );
}
