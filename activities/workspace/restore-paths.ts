import { nothing, parseEntry, type Entry, type EntryText } from './entry.ts';
import { ancestorsOf, type PathKey } from './path-key.ts';
import { eachBlob } from './read-blob.ts';
import type { ShadowRepository } from './shadow-repository.ts';
import type { Snapshot } from './snapshot.ts';
import { entryText } from './entry.ts';
import { listTree } from './tree-changes.ts';
import { removeEntry, removeFolder, setPermissions, writeEntry } from './write-entry.ts';

/** A path, how it is, and how it shall be. */
export interface Restoration {
  path: PathKey;
  now: EntryText;
  target: EntryText;
}

/**
 * Makes paths what they shall be. Each is changed in one step, so a run that was cut off can be run again. Removals come first: they
 * make room where a folder becomes a file.
 */
export async function restore(
  repository: ShadowRepository,
  restorations: readonly Restoration[],
  options: { deadline: number; mayRemoveFolder: (folder: PathKey) => boolean },
): Promise<void> {
  const { workspace } = repository;
  const removals = restorations.filter(({ target }) => target === nothing);
  for (const { path } of removals) await removeEntry(workspace, path);
  const files = restorations.flatMap(({ path, now, target }) => {
    const entry = parseEntry(target);
    return entry === undefined ? [] : [{ path, now: parseEntry(now), entry, oid: entry.oid }];
  });
  const needsPlace = new Set(files.map(({ path }) => path));
  const folders = new Set(removals.flatMap(({ path }) => ancestorsOf(path)));
  for (const folder of deepestFirst(folders)) {
    const makesRoom = needsPlace.has(folder) || ancestorsOf(folder).some((above) => needsPlace.has(above));
    if (makesRoom || options.mayRemoveFolder(folder)) await removeFolder(workspace, folder);
  }
  const sameBytes = files.filter(({ now, entry }) => differsInModeOnly(now, entry));
  for (const { path, entry } of sameBytes) await setPermissions(workspace, path, entry.permissions);
  const rest = files.filter(({ now, entry }) => !differsInModeOnly(now, entry));
  await eachBlob(repository, rest, options.deadline, ({ path, entry }, bytes) =>
    writeEntry(workspace, path, entry, bytes),
  );
}

const differsInModeOnly = (now: Entry | undefined, target: Entry): boolean =>
  now !== undefined && now.kind === 'file' && target.kind === 'file' && now.oid === target.oid;

export const deepestFirst = (folders: Iterable<PathKey>): PathKey[] =>
  [...folders].sort((a, b) => b.split('/').length - a.split('/').length);

/** Makes paths what they were in a snapshot; those that it does not have are removed. `now` is the workspace as it is. */
export async function restorePaths(
  repository: ShadowRepository,
  { wanted, now, paths, deadline }: { wanted: Snapshot; now: Snapshot; paths: readonly PathKey[]; deadline: number },
): Promise<void> {
  const [then, current] = await Promise.all([
    listTree(repository, wanted.tree, deadline),
    listTree(repository, now.tree, deadline),
  ]);
  const textIn = ({ meta }: Snapshot, tree: typeof then, path: PathKey): EntryText => {
    const entry = tree.get(path);
    return entry === undefined ? nothing : entryText(meta, path, entry.mode, entry.oid);
  };
  const restorations = paths.map((path) => ({
    path,
    now: textIn(now, current, path),
    target: textIn(wanted, then, path),
  }));
  const existed = new Set([...then.keys()].flatMap(ancestorsOf));
  await restore(
    repository,
    restorations.filter((each) => each.now !== each.target),
    { deadline, mayRemoveFolder: (folder) => !existed.has(folder) && !isCovered(wanted.meta.folders, folder) },
  );
}

/** Whether a folder, or one above it, is in a list of folders. */
export function isCovered(folders: readonly PathKey[], folder: PathKey): boolean {
  const known = new Set(folders);
  return known.has(folder) || ancestorsOf(folder).some((above) => known.has(above));
}

/** Writes a whole snapshot into a folder that is empty or not there. */
export async function exportTree(
  repository: ShadowRepository,
  snapshot: Snapshot,
  folder: string,
  deadline: number,
): Promise<void> {
  const tree = await listTree(repository, snapshot.tree, deadline);
  const files = [...tree].flatMap(([path, { mode, oid }]) => {
    const entry = parseEntry(entryText(snapshot.meta, path, mode, oid));
    return entry === undefined ? [] : [{ path, entry, oid }];
  });
  await eachBlob(repository, files, deadline, ({ path, entry }, bytes) => writeEntry(folder, path, entry, bytes));
}
