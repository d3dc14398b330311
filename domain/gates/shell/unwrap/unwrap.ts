import { guessPackages } from './guess-packages.ts';
import { guessPrograms } from './guess-programs.ts';
import type { Inner } from '../words/inner.ts';
import type { ProgramInput } from '../words/command-reading.ts';
import { unwrapRunner } from './runners.ts';
import { unwrapGit } from './unwrap-git.ts';
import { unwrapPrograms } from './unwrap-programs.ts';
import { unwrapShell } from './unwrap-shells.ts';
import { programName, type ShellWord } from '../words/word.ts';

/** Programs and texts that a program starts in turn, as far as its words show. */
export function unwrap(words: readonly ShellWord[], input: ProgramInput): Inner[] {
  const name = programName(words[0]?.text ?? '');
  return (
    unwrapShell(name, words, input) ??
    unwrapRunner(name, words) ??
    unwrapGit(name, words) ??
    (Object.hasOwn(unwrapPrograms, name) ? unwrapPrograms[name]?.(words, input) : undefined) ?? [
      ...guessPackages(name, words),
      ...guessPrograms(name, words),
    ]
  );
}
