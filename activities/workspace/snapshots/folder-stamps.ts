import { activityLimits } from '../../limits/activity-limits.ts';
import { lookAt } from './look-at-files.ts';
import { decodePath, type PathKey } from '../git/path-key.ts';
import type { IndexState, Meta } from '../git/snapshot.ts';

/** Tells whether names were added to or taken from a folder; empty when that cannot be told next time. The workspace itself is `''`. */
export type FolderStamps = Map<PathKey, string>;

/** Finds the folders that may hold new files: no other folder has changed. */
export type Scope = 'all' | PathKey[];

/** Before anything else is looked at: what comes later changes the stamp again. Folders that are gone are left out. */
export function stampFolders(workspace: string, folders: Iterable<PathKey>): FolderStamps {
  const young = Date.now() - activityLimits.workspace.recent;
  const stamps: FolderStamps = new Map();
  for (const folder of folders) {
    const { kind, changedAt, stamp } = lookAt(workspace, folder);
    if (kind === 'folder') stamps.set(folder, changedAt < young ? `${changedAt}:${stamp}` : '');
  }
  return stamps;
}

/** Files that snapshots leave out are in no index: where there are any, everything is looked at. */
export function chooseScope(before: { state: IndexState; meta: Meta } | undefined, now: FolderStamps): Scope {
  if (before === undefined || before.state.folders === null || before.meta.outside.length > 0) return 'all';
  const changed: PathKey[] = [];
  for (const [folder, stamp] of Object.entries(before.state.folders)) {
    if (stamp === '' || now.get(folder) !== stamp) changed.push(folder);
  }
  const tops = changed.filter((folder) => !changed.some((above) => folder !== above && isWithin(folder, above)));
  const isNarrow =
    tops.length <= activityLimits.workspace.scopeFolders && changed.length <= activityLimits.workspace.chunk;
  return isNarrow && !tops.includes('') && tops.every((folder) => decodePath(folder) !== undefined) ? tops : 'all';
}

export function isInScope(scope: Scope, folder: PathKey): boolean {
  return scope === 'all' || scope.some((top) => isWithin(folder, top));
}

const isWithin = (path: PathKey, folder: PathKey): boolean =>
  path === folder || folder === '' || path.startsWith(`${folder}/`);

/** As arguments of a git command; none for everything. */
export const scopeArguments = (scope: Scope): string[] =>
  scope === 'all' ? [] : ['--', ...scope.map((folder) => decodePath(folder) ?? '')];
