import { limits } from '../../limits/domain-limits.ts';
import { changeFolder, changesFolder } from './change-folder.ts';
import type { Inner } from './words/inner.ts';
import { leavesInput } from './inputs/leaves-input.ts';
import { noInput, type VariableAssignment } from './words/command-reading.ts';
import { stay, type Moved, type Scope } from './words/scope.ts';
import { unwrap } from './unwrap/unwrap.ts';
import { isCertain, programName, type ShellWord } from './words/word.ts';

/** These bring something from elsewhere. */
const downloaders = new Set(
  'curl wget fetch aria2c http https httpie xh lynx links elinks w3m nc ncat netcat socat ssh sftp ftp lftp tftp telnet'.split(
    ' ',
  ),
);

/** Notes a program that starts, and all that it starts in turn. */
export function startCall({ words, network }: { words: readonly ShellWord[]; network: boolean }, scope: Scope): Moved {
  const { reading, folders, input, within, guess } = scope;
  const [program] = words;
  if (!isCertain(program) || program.text === '') {
    if (words.length > 0) reading.problems.add('The program that it starts is only known when it runs.');
    return stay(scope);
  }
  if (reading.calls.length >= limits.gates.calls || scope.depth > limits.gates.depth) {
    reading.problems.add('It starts more programs, or programs inside of programs, than can be followed.');
    return stay(scope);
  }
  if (scope.sharesInput && !leavesInput(words)) reading.problems.add(sharedInput);
  const fetches = downloaders.has(programName(program.text));
  const inner = changesFolder(words) ? [] : unwrap(words, input);
  const passed = new Set(inner.flatMap(passedTo));
  reading.calls.push({ words, passed, within, folders, input, network: network || fetches, guess });
  return changesFolder(words) ? changeFolder(words, scope) : startInner(inner, { words, network }, scope);
}

const sharedInput = 'It reads its commands from an input that a program in them may read, too.';

const textScope = ({ guess, sharesInput }: Extract<Inner, { kind: 'text' }>, scope: Scope): Scope => ({
  ...scope,
  guess: scope.guess || guess === true,
  ...(sharesInput === true ? { sharesInput, input: noInput } : {}),
});

function passedTo(inner: Inner): readonly ShellWord[] {
  if (inner.kind === 'words') return inner.words;
  return inner.kind === 'text' ? inner.of : [];
}

function startInner(
  inner: readonly Inner[],
  { words, network }: { words: readonly ShellWord[]; network: boolean },
  scope: Scope,
): Moved {
  let moved = stay(scope);
  for (const one of inner) {
    const deeper = { ...scope, within: [...scope.within, words], depth: scope.depth + 1 };
    if (one.kind === 'problem') scope.reading.problems.add(one.why);
    else if (one.kind === 'setting') noteSetting(one.setting, scope);
    else if (one.kind === 'text') scope.readText(one.text, textScope(one, deeper));
    else if (one.kind === 'guess') startCall({ words: one.words, network }, { ...deeper, guess: true });
    else {
      const from = one.folder === undefined ? stay(deeper) : changeFolder([...cd, one.folder], deeper);
      const after = startCall({ words: one.words, network }, { ...deeper, folders: from.all });
      // `command cd x` and `builtin cd x` move this shell.
      if (one.inPlace === true) moved = after;
    }
  }
  return moved;
}

const cd: readonly ShellWord[] = [{ text: 'cd', kind: 'plain', maybe: false }];

/** A shell that the program starts may calculate with the value. */
function noteSetting(settings: VariableAssignment, { reading, all }: Scope): void {
  reading.settings.push(settings);
  const isPlain = settings.words.every((word) => isCertain(word) && !/[`$\\[]/.test(word.text));
  if (!isPlain) all.open.add(settings.name);
}
