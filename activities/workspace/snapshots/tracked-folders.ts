import { lstatSync, readFileSync, statSync, type Stats } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { activityLimits } from '../../limits/activity-limits.ts';
import { decodePath, listAncestors, type PathKey } from '../git/path-key.ts';
import { splitZero } from '../git/run-git.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import { SnapshotTrouble } from '../git/snapshot-trouble.ts';

/*
 * The user's own git is asked for nothing but names: our git reads the list of tracked files with the settings of our repository, so that
 * nothing of theirs runs and nothing of theirs is written.
 */

/** The repository that a folder belongs to, and the state of its list of tracked files. */
interface Owner {
  root: string;
  index: string;
  /** Changes whenever git writes the list; empty where there is none. */
  stamp: string;
}

/** Finds the repositories that folders lie in. A folder that is one itself, or whose name cannot be given to git, is in `own`. */
export class FolderOwners {
  readonly #workspace: string;
  readonly #owners = new Map<string, Owner | undefined>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  ownerOf(folder: PathKey): Owner | undefined {
    for (const above of [...listAncestors(folder), '']) {
      const owner = this.#ownerAt(resolve(this.#workspace, decodePath(above) ?? '.'));
      if (owner !== undefined) return owner;
    }
    for (let at = dirname(this.#workspace); ; at = dirname(at)) {
      const owner = this.#ownerAt(at);
      if (owner !== undefined || at === dirname(at)) return owner;
    }
  }

  /** The states of all repositories that these folders lie in, as one text. */
  stampAll(folders: readonly PathKey[]): string {
    const stamps = new Map<string, string>();
    for (const folder of folders) {
      const owner = this.ownerOf(folder);
      if (owner !== undefined) stamps.set(owner.root, owner.stamp);
    }
    return JSON.stringify([...stamps].sort());
  }

  #ownerAt(root: string): Owner | undefined {
    if (!this.#owners.has(root)) this.#owners.set(root, findOwner(root));
    return this.#owners.get(root);
  }
}

/** Selects the folders with a tracked file below. What cannot be found out counts as tracked: nothing is left out by mistake. */
export async function findTracked(
  repository: ShadowRepository,
  owners: FolderOwners,
  folders: readonly PathKey[],
  deadline: number,
): Promise<PathKey[]> {
  const tracked: PathKey[] = [];
  const groups = new Map<Owner, { folder: PathKey; path: string }[]>();
  for (const folder of folders) {
    const owner = owners.ownerOf(folder);
    const path = decodePath(folder);
    const place = path === undefined ? undefined : join(repository.workspace, path);
    if (place === undefined || exists(join(place, '.git'))) tracked.push(folder);
    else if (owner !== undefined && owner.stamp !== '') {
      groups.set(owner, [...(groups.get(owner) ?? []), { folder, path: relative(owner.root, place) }]);
    }
  }
  for (const [owner, group] of groups) tracked.push(...(await trackedIn(repository, owner, group, deadline)));
  return tracked;
}

async function trackedIn(
  repository: ShadowRepository,
  { root, index }: Owner,
  group: readonly { folder: PathKey; path: string }[],
  deadline: number,
): Promise<PathKey[]> {
  try {
    const env = { GIT_INDEX_FILE: index, GIT_WORK_TREE: root };
    const args = ['-C', root, 'ls-files', '-z', '--sparse', '--', ...group.map(({ path }) => path)];
    const names = splitZero((await repository.git(args, { env, deadline })).stdout).map((name) =>
      Buffer.from(name, 'latin1').toString('utf8'),
    );
    return group.flatMap(({ folder, path }) => (names.some((name) => name.startsWith(`${path}/`)) ? [folder] : []));
  } catch (error) {
    if (!(error instanceof SnapshotTrouble)) throw error;
    return group.map(({ folder }) => folder);
  }
}

function findOwner(root: string): Owner | undefined {
  const folder = gitFolder(join(root, '.git'));
  if (folder === undefined) return undefined;
  const index = join(folder, 'index');
  const stats = look(() => statSync(index, { throwIfNoEntry: false }));
  if (stats === undefined) return { root, index, stamp: '' };
  // Neither a pipe that nobody fills nor a list that is too long to be read holds a snapshot: git is asked and fails at once.
  const isList = stats.isFile() && stats.size <= activityLimits.workspace.outputBytes;
  return { root, index: isList ? index : '/dev/null', stamp: `${stats.ino}:${stats.size}:${stats.mtimeMs}` };
}

/** A worktree and a submodule have a file in its place that names the folder. */
function gitFolder(place: string): string | undefined {
  const stats = look(() => lstatSync(place, { throwIfNoEntry: false }));
  if (stats === undefined || stats.isDirectory()) return stats === undefined ? undefined : place;
  if (!stats.isFile() || stats.size > activityLimits.repositories.settingsBytes) return place;
  const target = /^gitdir: (.+)$/m.exec(look(() => readFileSync(place, 'utf8')) ?? '')?.[1];
  return target === undefined ? place : resolve(dirname(place), target);
}

const exists = (place: string): boolean => look(() => lstatSync(place, { throwIfNoEntry: false })) !== undefined;

/** A folder above that may not be read belongs to nobody whom we know. */
function look<T extends Stats | string>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
