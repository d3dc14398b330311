import { ask, quoteWord, type GateFinding } from './findings/finding.ts';
import { isGivenCode } from './programs/code-options.ts';
import { awkRuns } from './scripts/awk-runs.ts';
import { sedRuns } from './scripts/sed-runs.ts';
import { joinScripts, sedScripts } from './scripts/sed-scripts.ts';
import { hasOption, readArguments, listOptionValues, type OptionSpec } from './shell/words/options.ts';
import { isShell, shellTask } from './shell/unwrap/unwrap-shells.ts';
import type { ProgramInput } from './shell/words/command-reading.ts';
import { isCertain, mayBeOption, plainWord, type ShellWord } from './shell/words/word.ts';
import { showExactly } from './standing/exact-words.ts';

/** A program that runs code. */
interface Interpreter extends OptionSpec {
  /** Options that bring code in the command itself. */
  inline: RegExp;
  /** Options with which it runs no code from its input. */
  instead?: RegExp;
  /** Without a file it does nothing, or opens a window. */
  needsNoFile?: boolean;
}

const editor: Interpreter = {
  inline: /^(?:-[a-zA-Z]*[cSsE]|--cmd|\+.+|-es|-e)$/,
  needsNoFile: true,
};

const interpreters: Readonly<Record<string, Interpreter>> = {
  python: { inline: /^-[a-zA-Z]*c/, values: 'cWXQm', instead: /^(?:-[a-zA-Z]*[mVh]|--version|--help)/ },
  pypy: { inline: /^-[a-zA-Z]*c/, values: 'cWXm', instead: /^(?:-[a-zA-Z]*[mVh]|--version|--help)/ },
  ipython: { inline: /^-c/, values: 'cm', instead: /^(?:-m|--version|--help)/ },
  node: {
    inline:
      /^(?:-[a-z]*[ep][a-z]*|--eval.*|--print.*|--(?:import|loader|experimental-loader|require)=data:.*|data:.*)$/,
    values: 'r',
    long: ['require', 'import', 'loader', 'experimental-loader', 'conditions', 'env-file'],
    instead: /^(?:-v|-h|--version|--help|--test.*|--run.*|--v8-options|--completion-bash)$/,
  },
  nodejs: { inline: /^(?:-[a-z]*[ep][a-z]*|--eval.*|--print.*)$/, values: 'r', instead: /^(?:-v|--version|--test.*)$/ },
  bun: { inline: /^(?:-e|-p|--eval.*|--print.*)$/, needsNoFile: true },
  deno: { inline: /^(?:eval|repl)$/, needsNoFile: true },
  'ts-node': { inline: /^(?:-[a-z]*[ep]|--eval|--print)/, values: 'POr', instead: /^(?:-v|--version|-h|--help)$/ },
  tsx: { inline: /^(?:-e|-p|--eval|--print)/, instead: /^(?:-v|--version|-h|--help|--test|watch)$/ },
  perl: { inline: /^-(?:[^FIMmixCDVd-]*[eE]|[Mm].*[^\w:=,'-].*)/, values: 'IF', instead: /^-(?:[vVc]|-version|-help)/ },
  ruby: { inline: /^-[a-z]*e/, values: 'rIEFKC', instead: /^(?:-v|--version|-h|--help|-S)/ },
  php: { inline: /^-[a-zA-Z]*[rBRE]/, values: 'cdSt', instead: /^(?:-[vihmlS]|--version|--ini|--help)/ },
  lua: { inline: /^-e/, values: 'l', instead: /^-v/ },
  rscript: { inline: /^-e/, instead: /^--version/ },
  r: { inline: /^-e/, values: 'f', instead: /^(?:--version|CMD)$/ },
  julia: { inline: /^-[a-z]*[eE]/, values: 'pLJt', instead: /^(?:-v|--version|-h)/ },
  osascript: { inline: /^-e/ },
  groovy: { inline: /^-e/, instead: /^-v/ },
  elixir: { inline: /^(?:-e|--eval|--rpc-eval)/, instead: /^(?:-v|--version)/ },
  erl: { inline: /^-eval$/ },
  guile: { inline: /^-[ce]/, instead: /^--version/ },
  racket: { inline: /^(?:-e|--eval)/, instead: /^--version/ },
  sbcl: { inline: /^--eval/, instead: /^--version/ },
  octave: { inline: /^--eval/, instead: /^--version/ },
  gnuplot: { inline: /^-e/, instead: /^(?:-V|--version)/ },
  expect: { inline: /^-c/, instead: /^-v/ },
  ...{
    tclsh: { inline: /^$/ },
    wish: { inline: /^$/ },
    jshell: { inline: /^$/ },
    irb: { inline: /^-e/ },
    dc: { inline: /^-e/ },
  },
  ...{ fish: { inline: /^-[a-z]*c|^--command/ }, csh: { inline: /^-[a-z]*c/ }, tcsh: { inline: /^-[a-z]*c/ } },
  ...{ nu: { inline: /^-c/ }, xonsh: { inline: /^-c/ }, elvish: { inline: /^-c/ } },
  pwsh: { inline: /^-(?:c|command|e|ec|encodedcommand)$/i, instead: /^-(?:v|version|h|help|f|file)$/i },
  powershell: { inline: /^-(?:c|command|e|ec|encodedcommand)$/i, instead: /^-(?:v|version|h|help|f|file)$/i },
  ...{ vi: editor, vim: editor, nvim: editor, ex: editor, view: editor, gvim: editor, vimdiff: editor },
  ed: { inline: /^$/ },
  emacs: { inline: /^(?:--?eval|--?execute|--?batch|-f|--?funcall|--?load|-l)/, needsNoFile: true },
  emacsclient: { inline: /^(?:-e|--eval)/, needsNoFile: true },
  gdb: { inline: /^(?:--?ex|--?eval-command|-iex|-x|--?command)/, needsNoFile: true },
  lldb: { inline: /^(?:-o|--one-line|-s|-b)/, needsNoFile: true },
  ...{ crontab: { inline: /^-$/, instead: /^-l$/ }, at: { inline: /^/ }, batch: { inline: /^/ } },
  ...{ tmux: { inline: /^/, needsNoFile: true }, screen: { inline: /^/, needsNoFile: true } },
};

export interface Runs {
  /** Something from the network is among the words or on the input. */
  network: boolean;
  /** The whole call, word for word: what an answer for good would cover. */
  exact: string | undefined;
  input: ProgramInput;
  sandboxed: boolean;
}

/** Code that stands in the command, or comes to an interpreter from a place that nobody can read before. */
export function interpreterFindings(name: string, words: readonly ShellWord[], runs: Runs): GateFinding[] {
  if (name === 'eval') return runs.network ? [fetchedFinding(name)] : [];
  if (name === 'source' || name === '.') return sourceFindings(words, runs);
  if (isShell(name)) return shellFindings(name, words, runs);
  if (/^[gmn]?awk$/.test(name) || name === 'original-awk') return awkFindings(name, words, runs);
  if (name === 'sed' || name === 'gsed') return sedFindings(name, words, runs);
  if (isGivenCode(name, words)) return [inlineCodeFinding(name, runs)];
  if (/^(?:[gb]?make|ninja|just|task)$/.test(name)) return makeFindings(name, words);
  if (name === 'rsync') return rsyncFindings(name, words, runs);
  if (/^(?:g|bsd)?tar$/.test(name)) return tarFindings(name, words, runs);
  const interpreter = Object.hasOwn(interpreters, name) ? interpreters[name] : undefined;
  return interpreter === undefined ? [] : languageFindings(name, interpreter, words, runs);
}

/** The file that an interpreter is told to run. */
export function findScript(name: string, words: readonly ShellWord[]): ShellWord | undefined {
  if (name === 'source' || name === '.') return words[1];
  if (isShell(name)) {
    const task = shellTask(words);
    return task.kind === 'file' ? task.word : undefined;
  }
  const interpreter = Object.hasOwn(interpreters, name) ? interpreters[name] : undefined;
  if (interpreter === undefined) return undefined;
  const { operands, values } = readArguments(words, interpreter);
  // `python -m module words`: a module, and words for it.
  return values.some(({ option }) => option === '-m') ? undefined : operands[0];
}

/** The file that is run, by which an answer for good can name it: code among the words and the input are no files. */
export function findScriptFile(name: string, words: readonly ShellWord[]): ShellWord | undefined {
  const script = findScript(name, words);
  const interpreter = Object.hasOwn(interpreters, name) ? interpreters[name] : undefined;
  const isCode =
    interpreter !== undefined && interpreterWords(words, script).some(({ text }) => interpreter.inline.test(text));
  return script === undefined || isCode || isInput(script) ? undefined : script;
}

const fetchedFinding = (name: string): GateFinding =>
  ask('download', `${quoteWord(name)} runs code that comes from the network, unseen.`);

const inlineCodeFinding = (name: string, { exact }: Runs): GateFinding =>
  ask('code', `${quoteWord(name)} runs code that is given in the command itself.`, exact);

const inputFinding = (name: string, { network }: Pick<Runs, 'network'>): GateFinding =>
  network
    ? fetchedFinding(name)
    : ask('code', `${quoteWord(name)} runs code from its input, which cannot be read beforehand.`);

/** Paths that are the input, or the output of another command. */
const isInput = ({ text }: ShellWord): boolean => /^(?:-|\/dev\/stdin|\/dev\/fd\/.*|\/proc\/self\/fd\/.*)$/.test(text);

function sourceFindings(words: readonly ShellWord[], runs: Runs): GateFinding[] {
  const file = words[1];
  if (runs.network) return [ask('download', 'The shell runs code that comes from the network, unseen.')];
  if (!isCertain(file) || isInput(file))
    return [ask('code', 'The shell runs commands that cannot be read beforehand.')];
  // No more than a script of the workspace, which a sandbox confines.
  if (runs.sandboxed && words.length === 2 && isActivation(file.text)) return [];
  return [ask('code', `The shell runs the commands in ${quoteWord(file.text)}.`, runs.exact)];
}

/** The script of a virtual environment. */
const isActivation = (path: string): boolean =>
  /^[\w.][\w./-]*\/bin\/activate$/.test(path) && !path.split('/').includes('..');

function shellFindings(name: string, words: readonly ShellWord[], runs: Runs): GateFinding[] {
  const task = shellTask(words);
  switch (task.kind) {
    case 'nothing':
      return [];
    case 'text':
      return runs.network && !isCertain(task.word) ? [fetchedFinding(name)] : [];
    case 'unknown':
      return runs.network ? [fetchedFinding(name)] : [];
    case 'file':
      return isInput(task.word) ? [inputFinding(name, runs)] : [];
    case 'input':
      // Then it is read as the text of `-c` is.
      return runs.input.kind === 'text' && runs.input.exact === true ? [] : [inputFinding(name, runs)];
  }
}

/** Behind the file or the module, words are for the program in it. */
function interpreterWords(words: readonly ShellWord[], file: ShellWord | undefined): readonly ShellWord[] {
  const end = words.findIndex((word, at) => at > 0 && (word === file || /^-m/.test(words[at - 1]?.text ?? '')));
  return end === -1 ? words.slice(1) : words.slice(1, end + 1);
}

function languageFindings(
  name: string,
  interpreter: Interpreter,
  words: readonly ShellWord[],
  runs: Runs,
): GateFinding[] {
  const { operands, options, values } = readArguments(words, interpreter);
  const [file] = operands;
  const own = interpreterWords(words, file);
  const inline = own.find(({ text }) => interpreter.inline.test(text));
  if (inline !== undefined)
    return runs.network && !isCertain(inline) ? [fetchedFinding(name)] : [inlineCodeFinding(name, runs)];
  if (own.some((word) => !isCertain(word) && mayBeOption(word)))
    return [
      runs.network ? fetchedFinding(name) : ask('unclear', `What ${quoteWord(name)} runs is only known when it runs.`),
    ];
  const reads = file === undefined ? interpreter.needsNoFile !== true : isInput(file);
  const isElse = [...options, ...values.map(({ word }) => word), ...operands.slice(0, 1)].some(
    ({ text }) => interpreter.instead?.test(text) === true,
  );
  if (!reads || isElse) return [];
  // As readable as code among the words.
  const { input, exact } = runs;
  const isText = input.kind === 'text' && input.exact === true && (file === undefined || file.text === '-');
  const text = isText ? showExactly(plainWord(input.text)) : undefined;
  if (text === undefined || exact === undefined) return [inputFinding(name, runs)];
  return [inlineCodeFinding(name, { ...runs, exact: `${exact} <<< ${text}` })];
}

const awkSpec: OptionSpec = {
  values: 'FvfEilme',
  long: ['field-separator', 'assign', 'file', 'exec', 'include', 'load', 'source'],
};

function awkFindings(name: string, words: readonly ShellWord[], runs: Runs): GateFinding[] {
  const given = readArguments(words, awkSpec);
  const files = listOptionValues(given, { letter: 'f', long: ['file', 'exec'] });
  if (files.some(isInput)) return [inputFinding(name, runs)];
  const loads = ['i', 'l', 'E'].some((letter) =>
    hasOption(given.options, { letter, long: ['include', 'load', 'exec'] }, awkSpec),
  );
  const programs = [
    ...listOptionValues(given, { letter: 'e', long: 'source' }),
    ...(files.length > 0 ? [] : given.operands.slice(0, 1)),
  ];
  const unread = programs.some((word) => !isCertain(word) && mayBeOption(word));
  return loads || unread || programs.some(({ text }) => awkRuns(text)) ? [inlineCodeFinding(name, runs)] : [];
}

function sedFindings(name: string, words: readonly ShellWord[], runs: Runs): GateFinding[] {
  const { scripts, files } = sedScripts(words);
  const unread = scripts.some((word) => !isCertain(word) && mayBeOption(word));
  return unread || files.some(isInput) || sedRuns(joinScripts(scripts)) ? [inlineCodeFinding(name, runs)] : [];
}

function makeFindings(name: string, words: readonly ShellWord[]): GateFinding[] {
  const long = ['file', 'makefile', 'justfile', 'taskfile'];
  const given = readArguments(words, { values: name === 'task' ? 'dtf' : 'CfIjlo', long });
  const files = [...listOptionValues(given, { letter: 'f', long }), ...listOptionValues(given, { letter: 't' })];
  return files.some(isInput) ? [inputFinding(name, { network: false })] : [];
}

/** Another shell than ssh on the way, or another program at the other end. */
function rsyncFindings(name: string, words: readonly ShellWord[], runs: Runs): GateFinding[] {
  const spec = { values: 'eMTfB', long: ['rsh', 'rsync-path'] };
  const given = listOptionValues(readArguments(words, spec), { letter: 'e', long: ['rsh', 'rsync-path'] });
  return given.some(({ text }) => !/^ssh(?: -[46Cqp]| \d+| -i [\w./-]+)*$/.test(text))
    ? [inlineCodeFinding(name, runs)]
    : [];
}

/** The value of a letter in a first word without a dash: `xIf PROGRAM ARCHIVE`. */
function clusterValue(words: readonly ShellWord[], letter: string): ShellWord[] {
  const letters = Array.from(words[1]?.text ?? '').filter((one) => 'fCTXIbgKLNVFH'.includes(one));
  const at = /^[a-zA-Z]+$/.test(words[1]?.text ?? '') ? letters.indexOf(letter) : -1;
  const value = at === -1 ? undefined : words[at + 2];
  return value === undefined ? [] : [value];
}

const compressors =
  /^(?:gzip|pigz|bzip2|pbzip2|lbzip2|xz|pixz|zstd|zstdmt|lz4|lzip|plzip|lzop|lzma|brotli)(?: -[\w=-]+)*$/;

function tarFindings(name: string, words: readonly ShellWord[], runs: Runs): GateFinding[] {
  const spec = { values: 'I', long: ['use-compress-program'] };
  const programs = [
    ...listOptionValues(readArguments(words, spec), { letter: 'I', long: 'use-compress-program' }),
    ...clusterValue(words, 'I'),
  ];
  return programs.some(({ text }) => !compressors.test(text)) ? [inlineCodeFinding(name, runs)] : [];
}
