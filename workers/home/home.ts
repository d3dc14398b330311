import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { homeFolders, rootOfStore, rootsIn, type HomeFolders } from '../../activities/home/home-layout.ts';
import { sharedCacheFolder, xdgRoots, type Environment } from '../../activities/home/xdg.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { formatBytes } from '../../domain/text/bytes.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { checkHomeVersion, writeHomeVersion } from './home-version.ts';
import { makeFolders } from './make-folders.ts';

export type { Environment };

/** The folders of Heddle's state, as absolute paths. The folders are made when they are first needed. */
export interface HeddleHome extends HomeFolders {
  /** The cache of every home of this user: read, so that a fresh `HEDDLE_HOME` does not download again. */
  sharedCache: string;
}

/**
 * `HEDDLE_HOME` holds everything; without it the XDG folders do. Refuses a place that cannot be written, and what another version wrote in
 * a form that this one cannot read.
 */
export function heddleHome(env: Environment): HeddleHome {
  const home = homeOfAnyVersion(env);
  checkHomeVersion(rootOfStore(home.store));
  return home;
}

/** The same without a look at its version: for what only reaches the service that runs there. */
export function homeOfAnyVersion(env: Environment): HeddleHome {
  const sharedCache = sharedCacheFolder(env);
  const chosen = env['HEDDLE_HOME'];
  const roots = chosen === undefined || chosen === '' ? xdgRoots(env) : rootsIn(resolve(chosen));
  const home = { ...homeFolders(roots), sharedCache };
  for (const folder of listFolders(home)) refuseUnwritable(folder);
  return home;
}

/** Those that are written; they may be on several disks. */
export const listFolders = ({ data, store, cache, run, logs }: HomeFolders): string[] => [
  data,
  store,
  cache,
  run,
  logs,
];

/** Leaves word of the version that the home has, before anything else is written there. */
export function stampHome({ store }: Pick<HeddleHome, 'store'>): void {
  const root = rootOfStore(store);
  inHome(root, () => writeHomeVersion(root));
}

/** Makes a folder of the home, for its owner only: prompts and results lie there. */
export function makeFolder(folder: string): void {
  inHome(folder, () => makeFolders(folder));
}

/** An error of the system, such as a write to a full disk, is reported as what it is. */
export function inHome<T>(place: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw notWritable(place, error instanceof Error ? error.message : String(error));
  }
}

/** Bytes that are free for a folder of the home. A task that cannot write has no way to say so: too few are refused. */
export function freeSpace(folder: string): number {
  const place = nearestTo(folder);
  const { bavail, bsize } = inHome(place, () => statfsSync(place));
  const free = bavail * bsize;
  if (free < workerLimits.leastSpace) throw notWritable(folder, `only ${formatBytes(free)} are free on its disk`);
  return free;
}

/** The first folder that exists of this one and those above it: asking for paths makes nothing. */
function nearestTo(folder: string): string {
  let place = folder;
  while (dirname(place) !== place && !isThere(place)) place = dirname(place);
  return place;
}

function refuseUnwritable(folder: string): void {
  const place = nearestTo(folder);
  inHome(place, () => {
    if (!statSync(place).isDirectory()) throw new Error('it is not a folder');
    accessSync(place, constants.W_OK | constants.X_OK);
  });
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Below a file there is nothing; anything else (a folder that may not be entered) is told at that place.
    return !(error instanceof Error && 'code' in error && error.code === 'ENOTDIR');
  }
}

export function notWritable(folder: string, reason: string): HeddleError {
  return new HeddleError({
    code: 'HOME_NOT_WRITABLE',
    message: `Heddle cannot keep its state in ${folder}: ${reason}`,
    where: folder,
    hint: 'Set HEDDLE_HOME to a folder that you can write to, or free some space there.',
  });
}
