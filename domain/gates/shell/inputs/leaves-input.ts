import { programName, type ShellWord } from '../words/word.ts';

/*
 * A shell that reads its commands from its input shares that input with every program that it starts. A program that takes a part of it makes the rest mean something else than it says. So only programs that are known to leave their input alone may be among such commands.
 */

const quiet = new Set(
  [
    'ls pwd echo printf cd mkdir cp mv touch chmod ln rm rmdir test [ : true false set export unset exit date which type basename dirname realpath',
    'stat du df uname id whoami sleep git npm pnpm yarn cargo go make pip pytest mypy ruff tsc vitest jest',
  ].flatMap((names) => names.split(' ')),
);

/** Words by which such a program is told to read it all the same, or to ask a person. */
const takesInput =
  /^-$|^-.*-$|stdin|batch|\/fd\/|\/dev\/tty|^-[a-zA-Z]*[iI]|^--int|^(?:apply|am|credential|hash-object)$/;

/** Such a program is known to leave its input to the shell. */
export const leavesInput = (words: readonly ShellWord[]): boolean =>
  quiet.has(programName(words[0]?.text ?? '')) &&
  words.every(({ text, kind }) => kind !== 'open' && !takesInput.test(text));
