import { readlink, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

import type { RepositoryChange } from '../../domain/types/basic/workspace.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { HeldFolder } from '../tools/confine/held-folder.ts';
import { bytesOf, parentOf, showPath, toKey, type PathKey } from '../workspace/git/path-key.ts';
import { disarmRepository, putAside } from './disarm-repository.ts';
import { RepositorySearch, type FoundRepositories } from './find-repositories.ts';
import { hooksFolder, readRepositoryFacts, readText, settingsFiles, type RepositoryFacts } from './read-repository.ts';

/** The facts that say which programs git runs in the repositories below a workspace, by the path of each; a text says where another one is. */
export type SeenRepositories = Map<PathKey, RepositoryFacts | string>;

export interface WatchPlace {
  /** Absolute, links resolved. */
  workspace: string;
  /** Places that are passed by: absolute. */
  hidden: readonly string[];
  /** The PATH on which git is looked for. */
  path: string;
  /** Folders that are searched. */
  mostFolders: number;
}

/*
 * A repository is found again by every later git of the user that comes by, which runs what its settings and hooks name. So all of them
 * below a workspace are looked for before and after a command, and what the command added to run is taken out.
 */

interface Searched {
  search: RepositorySearch;
  /** The repositories of the last search, and its time. */
  last?: { repositories: FoundRepositories; at: number };
}

const searches = new Map<string, Searched>();

/** Workspaces whose folders are remembered; the least recent are searched again. */
const rememberedSearches = 50;

function reuseSearch({ workspace, hidden, mostFolders }: WatchPlace): Searched {
  const key = [workspace, ...hidden].join('\0');
  const searched = searches.get(key) ?? { search: new RepositorySearch(workspace, { hidden, mostFolders }) };
  searches.delete(key);
  searches.set(key, searched);
  for (const [oldest] of searches) {
    if (searches.size <= rememberedSearches) break;
    searches.delete(oldest);
  }
  return searched;
}

/** Before a command. Shortly after another, the repositories that were found then are looked at again, and no others searched for. */
export async function lookBefore(place: WatchPlace): Promise<SeenRepositories> {
  const { last } = reuseSearch(place);
  const isFresh = last !== undefined && last.at > performance.now() - activityLimits.repositories.fresh;
  return isFresh ? readAll(last.repositories, place) : lookAtRepositories(place);
}

/** The state before all work that still runs: a repository that it may have changed counts as it was when that work began. */
export function stateBeforeAll(seen: SeenRepositories, running: readonly SeenRepositories[]): SeenRepositories {
  const before: SeenRepositories = new Map(seen);
  for (const earlier of running) {
    for (const path of seen.keys()) if (!earlier.has(path)) before.delete(path);
    for (const [path, facts] of earlier) before.set(path, facts);
  }
  return before;
}

async function lookAtRepositories(place: WatchPlace, { opens = false } = {}): Promise<SeenRepositories> {
  const searched = reuseSearch(place);
  const repositories = await searched.search.find({ opens });
  searched.last = { repositories, at: performance.now() };
  return readAll(repositories, place);
}

async function readAll({ folders, pointers }: FoundRepositories, { workspace }: WatchPlace): Promise<SeenRepositories> {
  const seen: SeenRepositories = new Map();
  for (const path of folders) {
    const facts = await within(workspace, path, readRepositoryFacts);
    if (facts !== undefined) seen.set(path, facts);
  }
  for (const path of pointers) {
    const text = await within(workspace, parentOf(path), readPointer);
    if (text !== undefined) seen.set(path, text);
  }
  return seen;
}

/** Repositories whose settings a command cannot change, each with the folder that it is: another may be put in its place. */
export type KeptRepositories = ReadonlyMap<PathKey, string>;

/** The folder that a path leads to; empty where there is none. */
export const folderAt = async ({ workspace }: WatchPlace, path: PathKey): Promise<string> =>
  (await within(workspace, path, async (folder) => {
    const { dev, ino } = await stat(folder.path);
    return `${dev}:${ino}`;
  })) ?? '';

/** Disarms all repositories that changed since. A change of one that was kept is another writer's, wherever it was moved. */
export async function disarmRepositories(
  before: SeenRepositories,
  kept: KeptRepositories,
  place: WatchPlace,
): Promise<RepositoryChange[]> {
  const now = await lookAtRepositories(place, { opens: true });
  const changes: RepositoryChange[] = [];
  for (const [path, facts] of now) {
    const stayed = await keptAt(path, kept, place);
    const old = before.get(stayed ?? path);
    const isSame = stayed === undefined ? JSON.stringify(old) === JSON.stringify(facts) : isSameUnkept(old, facts);
    if (isSame) continue;
    const removed =
      typeof facts === 'string'
        ? await disarmPointer(path, now, place)
        : await disarmFolder(path, facts, typeof old === 'string' ? undefined : old, now, place);
    changes.push({
      path: showPath(path),
      state: old === undefined ? 'created' : 'changed',
      removed: removed.slice(0, activityLimits.repositories.named),
    });
  }
  if (reuseSearch(place).last?.repositories.isComplete === false) changes.push(unsearched);
  return changes;
}

/** The path that a repository was kept at which is here now. */
async function keptAt(path: PathKey, kept: KeptRepositories, place: WatchPlace): Promise<PathKey | undefined> {
  if (kept.size === 0) return undefined;
  const folder = await folderAt(place, path);
  if (kept.get(path) === folder) return path;
  return folder === '' ? undefined : [...kept].find(([, each]) => each === folder)?.[0];
}

/** Told in place of the repositories that were not looked for. */
const unsearched: RepositoryChange = { path: '.', state: 'unsearched', removed: [] };

/** Links are not kept, since nobody follows them: one may be replaced, though all else is read-only. */
function isSameUnkept(old: RepositoryFacts | string | undefined, now: RepositoryFacts | string): boolean {
  if (typeof old !== 'object' || typeof now !== 'object') return typeof old === typeof now;
  const unkept = ({ settings, hooks, common }: RepositoryFacts): string =>
    JSON.stringify([
      settingsFiles.map((name) => (old.settings[name] === null ? (settings[name] ?? '') : '')),
      hooksFolder in old.hooks ? hooks : '',
      common ?? '',
    ]);
  return unkept(old) === unkept(now);
}

async function disarmFolder(
  path: PathKey,
  facts: RepositoryFacts,
  old: RepositoryFacts | undefined,
  now: SeenRepositories,
  { workspace, path: programs }: WatchPlace,
): Promise<string[]> {
  const place = { workspace, path: programs, isKnown: (other: PathKey) => typeof now.get(other) === 'object' };
  const removed = await within(workspace, path, (folder) => disarmRepository(folder, path, facts, old, place));
  return removed ?? [];
}

/** Puts a pointer aside, unless it leads to a repository of the workspace and is as harmless as that. */
async function disarmPointer(path: PathKey, now: SeenRepositories, { workspace }: WatchPlace): Promise<string[]> {
  const text = now.get(path);
  const from = join(workspace, bytesOf(parentOf(path)).toString());
  const named = typeof text === 'string' ? /^(?:gitdir: |link )(.+?)\n?$/.exec(text)?.[1] : undefined;
  const real = named === undefined ? undefined : await realpath(resolve(from, named)).catch(() => undefined);
  const inside = real === undefined ? '..' : relative(workspace, real);
  if (!inside.startsWith('..') && typeof now.get(toKey(inside)) === 'object') return [];
  await within(workspace, parentOf(path), (folder) => putAside(folder, '.git'));
  return ['.git'];
}

/** Tells a `.git` that is a link. */
export const isLinkText = (text: string): boolean => text.startsWith('link ');

async function readPointer(folder: HeldFolder): Promise<string | undefined> {
  if (await folder.isLink('.git')) return `link ${await readlink(folder.at('.git')).catch(() => '')}`;
  return (await readText(folder, '.git')) ?? undefined;
}

/** Uses a folder that is reached without passing through a link; undefined where there is none, or it goes away meanwhile. */
async function within<T>(
  workspace: string,
  path: PathKey,
  use: (folder: HeldFolder) => Promise<T>,
): Promise<T | undefined> {
  let folder = await HeldFolder.open(workspace).catch(() => undefined);
  try {
    for (const name of path.split('/').filter((part) => part !== '')) {
      const inside: HeldFolder | undefined = await folder?.openInside(bytesOf(name)).catch(() => undefined);
      await folder?.close();
      folder = inside;
    }
    return folder === undefined ? undefined : await use(folder);
  } finally {
    await folder?.close();
  }
}
