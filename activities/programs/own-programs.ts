import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, normalize, resolve } from 'node:path';
import { orNone } from '../system/system-error.ts';

/*
 * Programs that Heddle itself starts outside of any sandbox: git, bubblewrap, the agent programs of presets. `npx` puts the project's
 * `node_modules/.bin` first on the PATH, where an agent can write. So they are looked for without such folders, once, when a worker starts;
 * and one that lies in the workspace of a task is never run for it. Programs that a plan names are looked up as a shell does.
 */

const usualPath = '/usr/local/bin:/usr/bin:/bin';

/** The shell that starts what Heddle runs, at the place where every system has it. */
export const ownShell = '/bin/sh';

/** The folders of a PATH without those that a project fills: `node_modules/.bin`, every relative one, and those that lead into a workspace. */
export function ownPath(path: string | undefined, workspace?: string): string {
  const folders = listOwnFolders(path);
  const outside = workspace === undefined ? folders : folders.filter((folder) => !isWorkspaceFolder(workspace, folder));
  return outside.join(delimiter) || usualPath;
}

const listOwnFolders = (path = ''): string[] =>
  path.split(delimiter).filter((folder) => isAbsolute(folder) && !isOfPackages(folder));

/** The folders of a PATH, relative ones as they are found from a workspace: a writer there decides what runs. */
export const programFolders = (path: string | undefined, workspace: string): string[] =>
  (path ?? usualPath).split(delimiter).map((folder) => resolve(workspace, folder));

const isOfPackages = (folder: string): boolean => /(?:^|\/)node_modules\/\.bin\/*$/.test(normalize(folder));

/** Candidates by PATH and name: what comes up later on one of these folders is not taken. */
const resolved = new Map<string, readonly string[]>();

/** Remembers where programs are, before any agent has run. */
export function resolveOwnPrograms(names: readonly string[], path: string | undefined): void {
  for (const name of names) candidatesFor(name, path);
}

/** Finds a program of Heddle's own; undefined when there is none, or none outside of the workspace. */
export function findOwnProgram(
  name: string,
  { path, workspace }: { path: string | undefined; workspace?: string },
): string | undefined {
  return candidatesFor(name, path).find((place) => workspace === undefined || !leadsInto(workspace, place));
}

function candidatesFor(name: string, path: string | undefined): readonly string[] {
  const key = `${name}\0${path ?? ''}`;
  const cached = resolved.get(key);
  if (cached !== undefined) return cached;
  const candidates = listOwnFolders(path)
    .map((folder) => join(folder, name))
    .filter(isProgram);
  // A program that is missing now may be installed while a worker runs.
  if (candidates.length > 0) resolved.set(key, candidates);
  return candidates;
}

function isProgram(place: string): boolean {
  try {
    accessSync(place, constants.X_OK);
    return statSync(place).isFile();
  } catch {
    return false;
  }
}

/** The folder by its name, or by what its name stands for. A missing folder has no programs. */
function isWorkspaceFolder(workspace: string, folder: string): boolean {
  return isInside(workspace, folder) || isInside(workspace, orNone(() => realpathSync(folder)) ?? folder);
}

/** By its name, or by what its name stands for. What cannot be followed is not run. */
function leadsInto(workspace: string, place: string): boolean {
  try {
    return isInside(workspace, place) || isInside(workspace, realpathSync(place));
  } catch {
    return true;
  }
}

const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
