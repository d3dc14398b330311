import type { GateFacts } from '../../types/basic/gate.ts';
import { readProgram, readShell } from '../shell/read-shell.ts';
import { readGit } from '../shell/unwrap/read-git.ts';
import type { CommandReading } from '../shell/words/command-reading.ts';
import { programName } from '../shell/words/word.ts';

type Facts = Pick<GateFacts, 'workspace' | 'resolve'>;

/** The folders in which a command of a shell starts git: the repositories there say which programs git runs. */
export const gitFoldersOfShell = (command: string, { workspace: folder, resolve }: Facts): string[] =>
  listFolders(readShell(command, { folder, resolve }), resolve);

/** The same for a call of the `git` tool. */
export const gitFoldersOfCall = (args: readonly string[], { workspace: folder, resolve }: Facts): string[] =>
  listFolders(readProgram(['git', ...args], { folder, resolve }), resolve);

function listFolders({ calls }: CommandReading, resolve: GateFacts['resolve']): string[] {
  const places = calls.flatMap(({ words, folders, guess }) => {
    if (guess || programName(words[0]?.text ?? '') !== 'git') return [];
    // Each `-C` leads on from the one before.
    const steps = readGit(words).folders;
    return folders.map((folder) => steps.reduce((place, { text }) => resolve(text, place), folder));
  });
  return [...new Set(places)];
}
