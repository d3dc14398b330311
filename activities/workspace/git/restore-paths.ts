import { nothing, parseEntry, type TreeEntry, type EntryText } from './entry.ts';
import { listAncestors, type PathKey } from './path-key.ts';
import { eachBlob } from './read-blob.ts';
import type { ShadowRepository } from './shadow-repository.ts';
import { removeEntry, removeEmptyFolder, setPermissions, writeEntry } from './write-entry.ts';

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
  const folders = new Set(removals.flatMap(({ path }) => listAncestors(path)));
  for (const folder of deepestFirst(folders)) {
    const makesRoom = needsPlace.has(folder) || listAncestors(folder).some((above) => needsPlace.has(above));
    if (makesRoom || options.mayRemoveFolder(folder)) await removeEmptyFolder(workspace, folder);
  }
  const sameBytes = files.filter(({ now, entry }) => differsInModeOnly(now, entry));
  for (const { path, entry } of sameBytes) await setPermissions(workspace, path, entry.permissions);
  const rest = files.filter(({ now, entry }) => !differsInModeOnly(now, entry));
  await eachBlob(repository, rest, options.deadline, ({ path, entry }, bytes) =>
    writeEntry(workspace, path, entry, bytes),
  );
}

const differsInModeOnly = (now: TreeEntry | undefined, target: TreeEntry): boolean =>
  now !== undefined && now.kind === 'file' && target.kind === 'file' && now.oid === target.oid;

export const deepestFirst = (folders: Iterable<PathKey>): PathKey[] =>
  [...folders].sort((a, b) => b.split('/').length - a.split('/').length);

/** Tells whether a folder, or one above it, is in a list of folders. */
export function isCovered(folders: readonly PathKey[], folder: PathKey): boolean {
  const covered = new Set(folders);
  return covered.has(folder) || listAncestors(folder).some((above) => covered.has(above));
}
