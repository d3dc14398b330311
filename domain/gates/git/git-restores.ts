import type { GateFacts } from '../../types/basic/gate.ts';
import { ask, type GateFinding } from '../findings/finding.ts';
import { hasOption, readArguments } from '../shell/words/options.ts';
import { readGit } from '../shell/unwrap/read-git.ts';
import type { ShellWord } from '../shell/words/word.ts';

const createsBranch = { letter: 'b', long: ['orphan', 'track', 'detach'] };

/**
 * `git checkout NAME` switches to a branch, or overwrites the file or folder of that name with what was committed. Where there is such a file,
 * git refuses to guess or overwrites it.
 */
export function restoreFindings(
  words: readonly ShellWord[],
  folders: readonly string[],
  { resolve, exists }: Pick<GateFacts, 'resolve' | 'exists'>,
): GateFinding[] {
  const call = readGit(words);
  if (call.verb !== 'checkout') return [];
  const { options, operands } = readArguments(call.words);
  if (hasOption(options, createsBranch) || hasOption(options, { letter: 't' })) return [];
  const from = call.folders.reduce<readonly string[]>(
    (places, { text }) => places.map((place) => resolve(text, place)),
    folders,
  );
  // In one of several folders, nobody can tell what is there.
  const mayExist = (text: string, folder: string): boolean => /[*?[]/.test(folder) || exists(resolve(text, folder));
  const isFile = operands.some(({ kind, text }) => kind === 'plain' && from.some((folder) => mayExist(text, folder)));
  return isFile ? [ask('history', '`git checkout` throws away changes that were never committed.')] : [];
}
