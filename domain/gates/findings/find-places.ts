import { limits } from '../../limits/domain-limits.ts';
import type { GateFacts } from '../../types/basic/gate.ts';
import { certainPart } from './places.ts';
import { findPathWords } from '../programs/path-roles.ts';
import { isHome, joinPath } from '../shell/words/paths.ts';
import { readProgram, readShell } from '../shell/read-shell.ts';
import type { CommandReading } from '../shell/words/command-reading.ts';
import type { ShellWord } from '../shell/words/word.ts';

type Facts = Pick<GateFacts, 'workspace' | 'resolve'>;

/*
 * An approval is for an action that leads to certain places. Where a link leads elsewhere by the time it is used, it is another action: so the
 * places are part of what an approval is bound to.
 */

/** The places to which the paths of a command lead now, by every link: absolute, in a fixed order. */
export const placesOfShell = (command: string, facts: Facts): string[] =>
  findPlaces(() => readShell(command, { folder: facts.workspace, resolve: facts.resolve }), facts);

/** The same for a program and its arguments. */
export const placesOfProgram = (run: readonly string[], facts: Facts): string[] =>
  findPlaces(() => readProgram(run, { folder: facts.workspace, resolve: facts.resolve }), facts);

/** The same for a call of the `git` tool. */
export const placesOfGit = (args: readonly string[], facts: Facts): string[] =>
  placesOfProgram(['git', ...args], facts);

function findPlaces(read: () => CommandReading, { resolve }: Facts): string[] {
  const reading = readOrNothing(read);
  if (reading === undefined) return [];
  const used = [
    ...reading.files.map(({ word, folders }) => ({ word, folders })),
    ...reading.calls.flatMap(({ words, passed, folders }) =>
      findPathWords(words.filter((word) => !passed.has(word))).map(({ word }) => ({ word, folders })),
    ),
  ];
  const places = new Set<string>(reading.folders);
  for (const { word, folders } of used)
    for (const folder of folders) {
      if (places.size >= limits.gates.paths) break;
      places.add(resolvePlace(word, folder, resolve));
    }
  return [...places].toSorted();
}

function resolvePlace(word: ShellWord, folder: string, resolve: GateFacts['resolve']): string {
  const path = certainPart(word);
  const joined = joinPath(folder, path);
  return isHome(joined) ? joined : resolve(path, folder);
}

/** A command that cannot be read is asked about each time. */
function readOrNothing(read: () => CommandReading): CommandReading | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
