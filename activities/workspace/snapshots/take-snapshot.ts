import { statSync } from 'node:fs';

import { activityLimits } from '../../limits.ts';
import { findChanges, isEmptyFolder, type FoundChanges } from './find-changes.ts';
import { isInScope, scopeOf, stampFolders, type FolderStamps } from './folder-stamps.ts';
import { currentBoot, healAfterReboot } from './heal-after-reboot.ts';
import { metaId } from './journal.ts';
import { isLarge, lookAt, lookAtFiles, type Look } from './look-at-files.ts';
import { ancestorsOf, type PathKey } from '../git/path-key.ts';
import { joinZero, splitZero } from '../git/run-git.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { IndexState, Meta, Outside, Snapshot } from '../git/snapshot.ts';
import { SnapshotTrouble } from '../git/snapshot-trouble.ts';

/** What the snapshot before left behind. */
export interface Before {
  state: IndexState;
  meta: Meta;
}

export interface Taken extends Snapshot {
  state: IndexState;
}

/** Takes the workspace as it is now into the shadow repository. Only under the workspace's lock. */
export async function takeSnapshot(
  repository: ShadowRepository,
  before: Before | undefined,
  deadline: number,
): Promise<Taken> {
  await repository.make();
  if (before !== undefined && before.state.boot !== currentBoot()) await healAfterReboot(repository);
  // An index that we do not know was left by a snapshot that did not come to its end.
  let known = before !== undefined && before.state.stamp === indexStamp(repository) ? before : undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      return await take(repository, known, deadline);
    } catch (error) {
      // A file that vanished or was closed while git read it: the next look knows.
      const lastTry = tries >= activityLimits.workspace.tries || performance.now() >= deadline;
      if (lastTry || !(error instanceof SnapshotTrouble)) throw error;
      known = undefined;
    }
  }
}

async function take(repository: ShadowRepository, before: Before | undefined, deadline: number): Promise<Taken> {
  const stamps = stampFolders(repository.workspace, Object.keys(before?.state.folders ?? {}));
  const found = await findChanges(repository, scopeOf(before, stamps), deadline);
  const again = before === undefined ? await tracked(repository, deadline) : before.state.recent;
  const lookedAt = Date.now();
  const looks = await lookAtFiles(repository.workspace, new Set([...found.files, ...again]));
  const changed = await updateIndex(repository, found, looks, deadline);
  const isSame = before !== undefined && !changed && indexStamp(repository) === before.state.stamp;
  const tree = isSame ? before.state.tree : await writeTree(repository, deadline);
  await repository.keep(tree);
  // Folders that were not searched have not changed.
  const hollow = (before?.meta.folders ?? []).filter((folder) => !isInScope(found.scope, folder));
  const meta = describe(before?.meta, { ...found, folders: [...hollow, ...found.folders] }, looks);
  const recent = [...looks].filter(([, look]) => look.changedAt > lookedAt - activityLimits.workspace.recent);
  const state = {
    stamp: indexStamp(repository),
    boot: currentBoot(),
    tree,
    meta: metaId(meta),
    recent: recent.map(([key]) => key),
    folders: knownFolders(repository, meta, [...looks.keys()], stamps),
  };
  return { tree, meta, state };
}

/** Those of new files are not stamped yet: they are searched once more. */
function knownFolders(
  repository: ShadowRepository,
  meta: Meta,
  looked: readonly PathKey[],
  stamps: FolderStamps,
): IndexState['folders'] {
  const folders = new Map(stamps);
  for (const folder of ['', ...looked.flatMap(ancestorsOf), ...meta.folders]) {
    if (!folders.has(folder)) folders.set(folder, '');
  }
  const isKnown = meta.folders.every((folder) => isEmptyFolder(repository, folder));
  return isKnown && folders.size <= activityLimits.workspace.stampedFolders ? Object.fromEntries(folders) : null;
}

async function writeTree(repository: ShadowRepository, deadline: number): Promise<string> {
  if (!repository.hasIndex) return repository.emptyTree();
  return (await repository.git(['write-tree'], { deadline })).stdout.toString('latin1').trim();
}

async function tracked(repository: ShadowRepository, deadline: number): Promise<PathKey[]> {
  if (!repository.hasIndex) return [];
  return splitZero((await repository.git(['ls-files', '-z'], { deadline })).stdout);
}

/** Git writes files above this size into one pack, instead of a file for each. */
const inOnePack = ['-c', 'core.bigFileThreshold=1'];

/** Tells whether anything was done. */
async function updateIndex(
  repository: ShadowRepository,
  { files, known, gone }: FoundChanges,
  looks: ReadonlyMap<PathKey, Look>,
  deadline: number,
): Promise<boolean> {
  const added: PathKey[] = [];
  const removed: PathKey[] = [];
  for (const key of gone) {
    if (files.has(key)) continue;
    // Git itself removes what is plainly not there, but not what lies behind a link or has become a folder.
    if (isPlainlyMissing(repository.workspace, key)) added.push(key);
    else removed.push(key);
  }
  for (const key of files) {
    const look = looks.get(key);
    if (look !== undefined && isKept(look)) added.push(key);
    else if (known.has(key)) removed.push(key);
  }
  const update = ['update-index', '-z'];
  if (removed.length > 0) {
    await repository.git([...update, '--force-remove', '--stdin'], { stdin: joinZero(removed), deadline });
  }
  for (let at = 0; at < added.length; at += activityLimits.workspace.chunk) {
    const stdin = joinZero(added.slice(at, at + activityLimits.workspace.chunk));
    const many = added.length >= activityLimits.workspace.packedTogether ? inOnePack : [];
    await repository.git([...many, ...update, '--add', '--remove', '--replace', '--stdin'], { stdin, deadline });
  }
  return added.length > 0 || removed.length > 0;
}

function isPlainlyMissing(workspace: string, key: PathKey): boolean {
  if (lookAt(workspace, key).kind !== 'missing') return false;
  return ancestorsOf(key).every((folder) => ['folder', 'missing'].includes(lookAt(workspace, folder).kind));
}

const isKept = (look: Look): boolean => look.kind === 'link' || (look.kind === 'file' && !isLarge(look));

function describe(before: Meta | undefined, found: FoundChanges, looks: ReadonlyMap<PathKey, Look>): Meta {
  const usual = before?.usual ?? usualModes(looks);
  const modes = new Map(Object.entries(before?.modes ?? {}));
  const outside = new Map<PathKey, Outside>(found.unreadable.map((path) => [path, { path, why: 'unreadable' }]));
  for (const key of found.gone) modes.delete(key);
  for (const [path, look] of looks) {
    modes.delete(path);
    if (look.kind === 'unreadable') outside.set(path, { path, why: 'unreadable' });
    else if (isLarge(look)) outside.set(path, { path, why: 'large', stamp: look.stamp });
    else if (look.kind === 'file' && look.permissions !== usualOf(usual, look.permissions)) {
      modes.set(path, look.permissions);
    }
  }
  return {
    usual,
    modes: Object.fromEntries([...modes].sort(byName)),
    outside: [...outside].sort(byName).map(([, entry]) => entry),
    folders: [...found.folders].sort(),
  };
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** As git tells the two kinds apart. */
export const isProgram = (permissions: number): boolean => (permissions & 0o100) !== 0;

const usualOf = (usual: Meta['usual'], permissions: number): number =>
  isProgram(permissions) ? usual.program : usual.file;

/** Where everything is private, the list of exceptions would hold every file. */
function usualModes(looks: ReadonlyMap<PathKey, Look>): Meta['usual'] {
  const counts = new Map<number, number>();
  for (const { kind, permissions } of looks.values()) {
    if (kind === 'file') counts.set(permissions, (counts.get(permissions) ?? 0) + 1);
  }
  const most = (fits: (permissions: number) => boolean, fallback: number): number =>
    [...counts].filter(([mode]) => fits(mode)).sort(([, a], [, b]) => b - a)[0]?.[0] ?? fallback;
  return { file: most((mode) => !isProgram(mode), 0o644), program: most(isProgram, 0o755) };
}

/** Changes whenever git writes the index. */
function indexStamp(repository: ShadowRepository): string {
  const stats = statSync(repository.index, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}
