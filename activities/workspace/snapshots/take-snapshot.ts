import { statSync } from 'node:fs';

import { activityLimits } from '../../limits/activity-limits.ts';
import { isEmptyFolder, type FoundChanges } from './find-changes.ts';
import { isInScope, stampFolders, type FolderStamps } from './folder-stamps.ts';
import { currentBoot, healAfterReboot } from './heal-after-reboot.ts';
import { metaId } from './journal.ts';
import { isLarge, lookAtFiles, type FileStats } from './look-at-files.ts';
import { isBelowLeftOut } from '../git/left-out.ts';
import { listAncestors, type PathKey } from '../git/path-key.ts';
import { searchWorkspace } from './search-workspace.ts';
import { hashFiles, type Hashed } from '../git/hash-files.ts';
import { joinZero, splitZero } from '../git/run-git.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { IndexState, Meta, Outside, Snapshot } from '../git/snapshot.ts';
import { SnapshotTrouble } from '../git/snapshot-trouble.ts';

/** The state that the snapshot before left behind. */
export interface Before {
  state: IndexState;
  meta: Meta;
}

export interface Taken extends Snapshot {
  state: IndexState;
}

/** Paths in generated folders for which these are taken in. */
export interface Taking {
  /** Paths that somebody declares to write. */
  declared?: readonly PathKey[];
  /** Folders that the state which a copy was made from had taken in. */
  kept?: readonly PathKey[];
}

/** Takes the workspace as it is now into the shadow repository. Only under the workspace's lock. */
export async function takeSnapshot(
  repository: ShadowRepository,
  before: Before | undefined,
  deadline: number,
  { declared = [], kept = [] }: Taking = {},
): Promise<Taken> {
  const taking = { declared, kept: [...(before?.meta.kept ?? []), ...kept] };
  await repository.make();
  if (before !== undefined && before.state.boot !== currentBoot()) await healAfterReboot(repository);
  // An index that we do not know was left by a snapshot that did not come to its end.
  let trusted = before !== undefined && before.state.stamp === indexStamp(repository) ? before : undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      return await take(repository, trusted, taking, deadline);
    } catch (error) {
      // A file that vanished or was closed while git read it: the next look knows.
      const lastTry = tries >= activityLimits.workspace.tries || performance.now() >= deadline;
      if (lastTry || !(error instanceof SnapshotTrouble)) throw error;
      trusted = undefined;
    }
  }
}

async function take(
  repository: ShadowRepository,
  before: Before | undefined,
  taking: Required<Taking>,
  deadline: number,
): Promise<Taken> {
  const stamps = stampFolders(repository.workspace, Object.keys(before?.state.folders ?? {}));
  const search = await searchWorkspace(repository, { before, stamps, ...taking }, deadline);
  const { changes, leftOut, kept } = search;
  const again = before === undefined ? await tracked(repository, deadline) : before.state.recent;
  const lookedAt = Date.now();
  const looks = await lookAtFiles(repository.workspace, new Set([...changes.files, ...again]));
  const changed = await updateIndex(repository, changes, looks, deadline);
  const isSame = before !== undefined && !changed && indexStamp(repository) === before.state.stamp;
  const tree = isSame ? before.state.tree : await writeTree(repository, deadline);
  await repository.keep(tree);
  // Folders that were not searched have not changed.
  const hollow = (before?.meta.folders ?? []).filter((folder) => !isInScope(changes.scope, folder));
  const folders = [...hollow, ...changes.folders].filter((folder) => !isLeftOut(leftOut, folder));
  const meta = { ...describe(before?.meta, { ...changes, folders }, looks), leftOut, kept };
  const recent = [...looks].filter(([, look]) => look.changedAt > lookedAt - activityLimits.workspace.recent);
  const state = {
    stamp: indexStamp(repository),
    boot: currentBoot(),
    tree,
    meta: metaId(meta),
    recent: recent.map(([key]) => key),
    folders: knownFolders(repository, meta, [...looks.keys()], stamps),
    generated: search.generated,
    repositories: search.repositories,
  };
  return { tree, meta, state };
}

const isLeftOut = (leftOut: Meta['leftOut'], folder: PathKey): boolean =>
  Object.hasOwn(leftOut, folder) || isBelowLeftOut({ leftOut }, folder);

/** Those of new files are not stamped yet: they are searched once more. */
function knownFolders(
  repository: ShadowRepository,
  meta: Meta,
  looked: readonly PathKey[],
  stamps: FolderStamps,
): IndexState['folders'] {
  const folders = new Map(stamps);
  for (const folder of ['', ...looked.flatMap(listAncestors), ...meta.folders]) {
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

/** Tells whether anything was done. Nothing but files and links gets in, by their bytes as they were read here. */
async function updateIndex(
  repository: ShadowRepository,
  { files, indexed, deleted }: FoundChanges,
  looks: ReadonlyMap<PathKey, FileStats>,
  deadline: number,
): Promise<boolean> {
  const removed = [...deleted].filter((key) => !files.has(key));
  const additions: { path: PathKey; oid: string | undefined }[] = [];
  for (const path of files) {
    const look = looks.get(path);
    if (look !== undefined && isKept(look) && isTakenIn(path, look))
      additions.push({ path, oid: indexed.get(path)?.oid });
    else if (indexed.has(path)) removed.push(path);
  }
  let lines = removed.map(leftOut);
  let isChanged = false;
  for (let at = 0; at < additions.length || lines.length > 0; at += activityLimits.workspace.chunk) {
    const part = additions.slice(at, at + activityLimits.workspace.chunk);
    const read = new Map((await hashFiles(repository, part, deadline)).map((file) => [file.path, file]));
    for (const { path } of part) lines.push(...lineFor(path, read.get(path), indexed.get(path)));
    if (lines.length > 0)
      await repository.git(['update-index', '-z', '--index-info'], { stdin: joinZero(lines), deadline });
    await refreshIndex(repository, [...read.values()], deadline);
    isChanged ||= lines.length > 0;
    lines = [];
  }
  return isChanged;
}

/** The line of a file for the index; none where the index has it already. */
function lineFor(path: PathKey, now: Hashed | undefined, indexed: { mode: string; oid: string } | undefined): string[] {
  if (now === undefined) return indexed === undefined ? [] : [leftOut(path)];
  return now.oid === indexed?.oid && now.mode === indexed.mode ? [] : [`${now.mode} ${now.oid}\t${path}`];
}

const leftOut = (path: PathKey): string => `0 ${noObject}\t${path}`;

const noObject = '0'.repeat(40);

/** Git knows no times of what it did not read itself, and names it at each look: a few are read again, many are shown to it once. */
async function refreshIndex(repository: ShadowRepository, hashed: readonly Hashed[], deadline: number): Promise<void> {
  const { packedTogether, rereadBytes } = activityLimits.workspace;
  const bytes = hashed.reduce((sum, file) => sum + file.bytes, 0);
  if (hashed.length < packedTogether && bytes < rereadBytes) return;
  await repository.git(['update-index', '-q', '--refresh'], { deadline, answers: [1] });
}

/** Names that git takes into no index, in any case of letters: a name that is its own, and a link in place of its settings. */
function isTakenIn(path: PathKey, { kind }: FileStats): boolean {
  const names = path.toLowerCase().split('/');
  return !names.includes('.git') && !(kind === 'link' && names.at(-1) === '.gitmodules');
}

const isKept = (look: FileStats): boolean => look.kind === 'link' || (look.kind === 'file' && !isLarge(look));

function describe(
  before: Meta | undefined,
  changes: FoundChanges,
  looks: ReadonlyMap<PathKey, FileStats>,
): Omit<Meta, 'leftOut' | 'kept'> {
  const usual = before?.usual ?? usualModes(looks);
  const modes = new Map(Object.entries(before?.modes ?? {}));
  const outside = new Map<PathKey, Outside>(changes.unreadable.map((path) => [path, { path, why: 'unreadable' }]));
  for (const key of changes.deleted) modes.delete(key);
  for (const [path, look] of looks) {
    modes.delete(path);
    if (look.kind === 'unreadable') outside.set(path, { path, why: 'unreadable' });
    else if (isLarge(look)) outside.set(path, { path, why: 'large', stamp: look.stamp });
    else if (look.kind === 'file' && look.permissions !== chooseUsualMode(usual, look.permissions)) {
      modes.set(path, look.permissions);
    }
  }
  return {
    usual,
    modes: Object.fromEntries([...modes].sort(byName)),
    outside: [...outside].sort(byName).map(([, entry]) => entry),
    folders: [...changes.folders].sort(),
  };
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** As git tells the two kinds apart. */
export const isProgram = (permissions: number): boolean => (permissions & 0o100) !== 0;

const chooseUsualMode = (usual: Meta['usual'], permissions: number): number =>
  isProgram(permissions) ? usual.program : usual.file;

/** The permissions that most files have are no exception: where everything is private, the list would hold every file. */
function usualModes(looks: ReadonlyMap<PathKey, FileStats>): Meta['usual'] {
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
