import { mayNameSecret } from '../../../workspace/secret-path.ts';
import { hidden, innerText, innerWithArguments, innerWords, type Inner } from '../words/inner.ts';
import { firstOperand, readArguments, listOptionValues, type OptionSpec } from '../words/options.ts';
import type { ProgramInput } from '../words/command-reading.ts';
import { hole, isCertain, openWord, programName, type ShellWord } from '../words/word.ts';

/* Programs that start others in ways of their own. Each gets its words, the program first. */

type Unwrap = (words: readonly ShellWord[], input: ProgramInput) => Inner[];

const assignment = /^[A-Za-z_][\w%()]*=/;

/** Options, variables, then a program. */
const behindVariables =
  (spec: OptionSpec, folder: { letter: string; long: string }): Unwrap =>
  (words) => {
    const start = firstOperand(words, spec);
    if (start === undefined) return [hidden];
    const given = readArguments(words.slice(0, start), spec);
    const end = words.slice(start).findIndex(({ text }) => !assignment.test(text));
    const program = end === -1 ? words.length : start + end;
    const settings = words.slice(start, program).map((word): Inner => {
      const [name = ''] = word.text.split('=');
      return { kind: 'setting', setting: { name, words: [{ ...word, text: word.text.slice(name.length + 1) }] } };
    });
    const split = splitString(words.slice(0, start), spec);
    if (split !== undefined) return innerText([split.text, ...words.slice(split.end)]);
    const [into] = listOptionValues(given, folder);
    const inner = words.slice(program);
    if (inner.length === 0) return settings;
    return [...settings, { kind: 'words', words: inner, ...(into === undefined ? {} : { folder: into }) }];
  };

/** `env -S 'rm' -rf x`: all that follows the text belongs to the program in it. */
function splitString(words: readonly ShellWord[], spec: OptionSpec): { text: ShellWord; end: number } | undefined {
  if (spec.values?.includes('S') !== true) return undefined;
  for (let end = 2; end <= words.length; end += 1) {
    const [text] = listOptionValues(readArguments(words.slice(0, end), spec), { letter: 'S', long: 'split-string' });
    if (text !== undefined) return { text, end };
  }
  return undefined;
}

const env = behindVariables(
  { values: 'uCS', long: ['unset', 'chdir', 'split-string', 'argv0'] },
  { letter: 'C', long: 'chdir' },
);

const sudo = behindVariables(
  { values: 'ugpChTrtUDR', long: ['user', 'group', 'prompt', 'chdir', 'chroot', 'host', 'role', 'type', 'other-user'] },
  { letter: 'D', long: 'chdir' },
);

const doas = behindVariables({ values: 'uC' }, { letter: '', long: '' });

const xargsSpec: OptionSpec = {
  values: 'aEdILnPs',
  long: ['arg-file', 'delimiter', 'max-lines', 'max-args', 'max-procs', 'max-chars', 'process-slot-var'],
};

/** Its input becomes arguments: at the end, or wherever the mark stands. */
const xargs: Unwrap = (words, input) => {
  const start = firstOperand(words, xargsSpec);
  if (start === undefined) return [hidden];
  const inner = words.slice(start);
  if (inner.length === 0) return [];
  const options = words.slice(1, start);
  const { values } = readArguments(words.slice(0, start), xargsSpec);
  const bare = options.some(({ text }) => /^(?:-i|--replace)$/.test(text)) ? ['{}'] : [];
  const marks = [
    ...listOptionValues({ values }, { letter: 'I' }).map(({ text }) => text),
    ...options.flatMap(({ text }) => /^(?:-i|--replace=)(?<mark>.+)$/.exec(text)?.groups?.['mark'] ?? []),
    ...bare,
  ];
  const hasOwnWords = inner
    .slice(1)
    .some((word) => isCertain(word) && !/^-/.test(word.text) && !marks.includes(word.text));
  const isListed = input.kind === 'files' && hasOwnWords && changesListed.test(programName(inner[0]?.text ?? ''));
  const file = isListed && values.every(({ option }) => /^-[0InPLd]$/.test(option)) ? listedFile : openWord;
  if (marks.length === 0) return innerWords([...inner, file]);
  return innerWords(inner.map((word) => (marks.includes(word.text) ? file : fillMarks(word, marks))));
};

/** Some file below the folder: what these do to it can be taken back. */
const listedFile: ShellWord = { text: '*', kind: 'pattern', maybe: false };
const changesListed = /^g?(?:sed|chmod)$/;

function fillMarks(word: ShellWord, marks: readonly string[]): ShellWord {
  const mark = marks.find((one) => one !== '' && word.text.includes(one));
  return mark === undefined ? word : { ...word, kind: 'open', text: word.text.replaceAll(mark, hole) };
}

/** The words between an action and its end; a path that is found begins with a folder, so it is no option. */
const find: Unwrap = (words) => {
  const inner: Inner[] = [];
  for (let at = 1; at < words.length; at += 1) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[at]?.text ?? '')) continue;
    const from = at + 1;
    while (at < words.length && !isEndOfAction(words, at)) at += 1;
    const action = words.slice(from, at);
    inner.push(...innerWords(action.map((word) => fillMark(word, '{}', lookedFor(words)))));
  }
  return inner;
};

const isEndOfAction = (words: readonly ShellWord[], at: number): boolean =>
  words[at]?.text === ';' || (words[at]?.text === '+' && words[at - 1]?.text === '{}');

/** Some file below one of the folders that are searched, which are looked at themselves. */
const fillMark = (word: ShellWord, mark: string, name: string): ShellWord =>
  word.text.includes(mark) ? { ...word, kind: 'pattern', text: word.text.replaceAll(mark, `./${name}`) } : word;

/** A pattern of the names of found files, where secrets are looked for. */
function lookedFor(words: readonly ShellWord[]): string {
  const names = words.filter((_, at) => /^-(?:i?name|i?path|wholename)$/.test(words[at - 1]?.text ?? ''));
  return names.map(({ text }) => text.split('/').at(-1) ?? '').find((name) => mayNameSecret(name)) ?? '*';
}

const foundFile: ShellWord = { text: './*', kind: 'pattern', maybe: false };

/** `fd -x rm`: everything behind it, and what was found. */
const fd: Unwrap = (words) => {
  const at = words.findIndex(({ text }) => /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?(?:=.*)?)$/s.test(text));
  const option = words[at];
  if (option === undefined) return [];
  const equals = option.text.indexOf('=');
  const attached = equals === -1 ? [] : [{ ...option, text: option.text.slice(equals + 1) }];
  const inner = [...attached, ...words.slice(at + 1)].map((word) => (/^\{[./]*\}$/.test(word.text) ? foundFile : word));
  return innerWords(inner.includes(foundFile) ? inner : [...inner, foundFile]);
};

const parallelSpec: OptionSpec = {
  values: 'jNnLIaCsSwTER',
  long: ['jobs', 'max-args', 'arg-file', 'colsep', 'delay', 'timeout', 'results', 'joblog', 'sshlogin', 'workdir'],
};

const parallel: Unwrap = (words) => {
  const start = firstOperand(words, parallelSpec);
  if (start === undefined) return [hidden];
  const rest = words.slice(start);
  const end = rest.findIndex(({ text }) => /^:::/.test(text));
  const [program, ...more] = end === -1 ? rest : rest.slice(0, end);
  if (program === undefined) return [hidden];
  if (/\s/.test(program.text)) return innerWithArguments(program);
  return innerWords([program, ...more.map((word) => fillMarks(word, ['{}', '{.}', '{/}'])), openWord]);
};

/** A program whose words from the first operand on, or from the next one, are a text for a shell. */
const asText =
  (spec: OptionSpec, skip = 0): Unwrap =>
  (words) => {
    const start = firstOperand(words, spec);
    return start === undefined ? [hidden] : innerText(words.slice(start + skip));
  };

/** A program with an option whose value is a text for a shell. */
const byOption =
  (spec: OptionSpec, option: { letter?: string; long?: string | readonly string[] }): Unwrap =>
  (words) =>
    listOptionValues(readArguments(words, spec), option).flatMap((word) => innerText([word]));

const su = byOption(
  { values: 'cgGsw', long: ['command', 'session-command', 'group', 'shell'] },
  { letter: 'c', long: ['command', 'session-command'] },
);

const runuser: Unwrap = (words, input) => {
  const texts = su(words, input);
  if (texts.length > 0) return texts;
  const start = firstOperand(words, { values: 'ugGsw', long: ['user', 'group', 'shell'] });
  return start === undefined ? [hidden] : innerWords(words.slice(start));
};

const flock: Unwrap = (words) => {
  const start = firstOperand(words, { values: 'wE', long: ['timeout', 'conflict-exit-code'] });
  if (start === undefined) return [hidden];
  const [option, text] = words.slice(start + 1);
  return /^(?:-c|--command)$/.test(option?.text ?? '') && text !== undefined
    ? innerText([text])
    : innerWords(words.slice(start + 1));
};

/** `-v` only says what the name stands for. */
const command: Unwrap = (words) => {
  const start = firstOperand(words);
  if (start === undefined) return [hidden];
  if (words.slice(1, start).some(({ text }) => /^-[a-zA-Z]*[vV]/.test(text))) return [];
  return innerWords(words.slice(start)).map((inner) => ({ ...inner, inPlace: true }));
};

const trap: Unwrap = (words) => {
  const operands = words.slice(firstOperand(words) ?? 1);
  const [text] = operands;
  return text === undefined || operands.length < 2 || text.text === '-' ? [] : innerText([text]);
};

const alias: Unwrap = (words) =>
  words.slice(1).flatMap((word) => {
    const at = word.text.indexOf('=');
    return at === -1 ? [] : innerWithArguments({ ...word, text: word.text.slice(at + 1) });
  });

const exec: Unwrap = (words) => {
  const start = firstOperand(words, { values: 'a' });
  return start === undefined ? [hidden] : innerWords(words.slice(start));
};

const jobs: Unwrap = (words) => (/^-[lnprs]*x/.test(words[1]?.text ?? '') ? innerWords(words.slice(2)) : []);

const never: Inner = { kind: 'problem', why: 'It changes what the shell does with its next commands.' };

/** Builtins that change what names mean, or hand text to the shell at some later time. */
const ifOption =
  (pattern: RegExp): Unwrap =>
  (words) =>
    words.slice(1).some((word) => !isCertain(word) || pattern.test(word.text)) ? [never] : [];

export const unwrapPrograms: Readonly<Record<string, Unwrap>> = {
  ...{ env, sudo, doas, xargs, gxargs: xargs, find, gfind: find, fd, fdfind: fd, parallel, su, runuser, flock },
  ...{ command, builtin: command, exec, trap, alias, jobs },
  eval: asText({}),
  watch: asText({ values: 'nq', long: ['interval', 'equexit'] }),
  ssh: asText({ values: 'BbcDEeFIiJLlmOopQRSWw' }, 1),
  sg: (words) => innerText(words.slice(2).filter(({ text }) => text !== '-c')),
  autossh: asText({ values: 'BbcDEeFIiJLlmMOopQRSWw' }, 1),
  script: byOption(
    { values: 'cEIOBTmo', long: ['command', 'echo', 'log-in', 'log-out', 'log-io'] },
    { letter: 'c', long: 'command' },
  ),
  split: byOption({ values: 'abClnt', long: ['filter'] }, { long: 'filter' }),
  'nix-shell': byOption({ values: 'pIA', long: ['run', 'command'] }, { long: ['run', 'command'] }),
  enable: ifOption(/^-[a-z]*f/),
  hash: ifOption(/^-[a-z]*p/),
  complete: ifOption(/^-[a-zA-Z]*[CFW]/),
  compgen: ifOption(/^-[a-zA-Z]*[CFW]/),
  mapfile: ifOption(/^-[a-zA-Z]*C/),
  readarray: ifOption(/^-[a-zA-Z]*C/),
  bind: ifOption(/^-x/),
  fc: () => [never],
  history: ifOption(/^-[sparn]/),
};
