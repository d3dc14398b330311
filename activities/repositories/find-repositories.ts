import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';

import { resolveLinks } from '../files/resolve-links.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { systemCode } from '../system/system-error.ts';
import type { PathKey } from '../workspace/git/path-key.ts';

/** Folders and files below one folder that git would take for a repository. */
export interface FoundRepositories {
  /** Folders that hold settings and hooks: named `.git`, or of a repository's form. */
  folders: PathKey[];
  /** Files and links of the name `.git`, which say where such a folder is. */
  pointers: PathKey[];
  /** False where there are more folders than are looked at. */
  isComplete: boolean;
}

/** A folder as it was when its entries were read. */
interface SeenFolder {
  path: PathKey;
  place: Buffer;
  /** Differs when an entry was added, removed or renamed since; undefined when that cannot be told. */
  stamp: Stamp | undefined;
  inside: Map<string, SeenFolder>;
  isRepository: boolean;
  hasPointer: boolean;
  /** As it was when it could not be looked into. */
  closed?: Stamp;
}

interface Stamp {
  dev: number;
  ino: number;
  ctimeMs: number;
}

/** How many folders are looked at before other work gets its turn. */
const breath = 1_000;

/**
 * Finds the repositories below a workspace, in ignored folders too. What was seen is kept: a folder is read again only where the system
 * notes that its entries changed.
 */
export class RepositorySearch {
  readonly #top: SeenFolder;
  /** Absolute places that are passed by. */
  readonly #hidden: ReadonlySet<string>;

  readonly #mostFolders: number;

  constructor(workspace: string, { hidden, mostFolders }: { hidden: readonly string[]; mostFolders: number }) {
    this.#mostFolders = mostFolders;
    this.#top = unseen('', Buffer.from(workspace));
    this.#hidden = new Set(hidden.map((place) => Buffer.from(resolveLinks(place, '/')).toString('latin1')));
  }

  /**
   * Shallow folders come first. `opens`: a folder that was closed to its owner since the last search is opened, since git may find in there
   * what a search does not; a folder that was closed before is left alone.
   */
  async find({ opens = false } = {}): Promise<FoundRepositories> {
    const result: FoundRepositories = { folders: [], pointers: [], isComplete: true };
    const queue = [this.#top];
    for (let at = 0; at < queue.length; at += 1) {
      const folder = queue[at];
      if (at % breath === breath - 1) await breathe();
      if (at >= this.#mostFolders) {
        result.isComplete = false;
        break;
      }
      if (folder === undefined || !this.#look(folder, opens)) continue;
      if (folder.isRepository || isNamedGit(folder.path)) result.folders.push(folder.path);
      if (folder.hasPointer) result.pointers.push(join(folder.path, '.git'));
      for (const inside of folder.inside.values()) queue.push(inside);
    }
    return result;
  }

  /** False where it cannot be looked into, or is a folder no more. */
  #look(folder: SeenFolder, opens: boolean): boolean {
    try {
      const { dev, ino, ctimeMs, mode } = lstatSync(folder.place);
      if (isSame(folder.stamp, { dev, ino, ctimeMs })) return true;
      // A folder that changes twice within one tick of the clock has one time.
      const isYoung = ctimeMs > Date.now() - activityLimits.workspace.recent;
      if (!this.#readOpened(folder, { dev, ino, ctimeMs, mode, opens })) return false;
      folder.stamp = isYoung ? undefined : { dev, ino, ctimeMs };
      return true;
    } catch {
      folder.stamp = undefined;
      return false;
    }
  }

  /** False where it stays closed to its owner. */
  #readOpened(folder: SeenFolder, { mode, opens, ...stamp }: Stamp & { mode: number; opens: boolean }): boolean {
    try {
      this.#read(folder);
    } catch (error) {
      if (systemCode(error) !== 'EACCES') throw error;
      const isLeft = !opens || isSame(folder.closed, stamp);
      folder.stamp = undefined;
      folder.closed = stamp;
      if (isLeft) return false;
      chmodSync(folder.place, (mode & 0o777) | 0o700);
      this.#read(folder);
    }
    return true;
  }

  #read(folder: SeenFolder): void {
    const names = new Set<string>();
    const inside = new Map<string, SeenFolder>();
    for (const entry of readdirSync(folder.place, { encoding: 'buffer', withFileTypes: true })) {
      const name = entry.name.toString('latin1');
      names.add(name);
      if (!entry.isDirectory()) continue;
      const path = join(folder.path, name);
      const child = folder.inside.get(name) ?? unseen(path, Buffer.concat([folder.place, slash, entry.name]));
      if (!this.#hidden.has(child.place.toString('latin1'))) inside.set(name, child);
    }
    const has = (...all: string[]): boolean => all.every((name) => names.has(name));
    folder.inside = inside;
    folder.isRepository = has('HEAD', 'commondir') || has('HEAD', 'objects', 'refs');
    folder.hasPointer = names.has('.git') && !inside.has('.git');
  }
}

const isSame = (a: Stamp | undefined, b: Stamp): boolean =>
  a?.ctimeMs === b.ctimeMs && a.ino === b.ino && a.dev === b.dev;

const slash = Buffer.from('/');

const unseen = (path: PathKey, place: Buffer): SeenFolder => ({
  ...{ path, place, stamp: undefined, inside: new Map() },
  ...{ isRepository: false, hasPointer: false },
});

const join = (folder: PathKey, name: string): PathKey => (folder === '' ? name : `${folder}/${name}`);

const isNamedGit = (path: PathKey): boolean => path === '.git' || path.endsWith('/.git');
