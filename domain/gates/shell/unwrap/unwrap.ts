import { guessPackages } from './guess-packages.ts';
import { guessPrograms } from './guess-programs.ts';
import type { Inner } from '../words/inner.ts';
import type { Input } from '../words/command-reading.ts';
import { unwrapRunner } from './runners.ts';
import { unwrapGit } from './unwrap-git.ts';
import { unwrapPrograms } from './unwrap-programs.ts';
import { unwrapShell } from './unwrap-shells.ts';
import { programName, type Word } from '../words/word.ts';

/** What a program starts in turn, as far as its words tell. */
export function unwrap(words: readonly Word[], input: Input): Inner[] {
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
