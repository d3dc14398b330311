import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { limits } from '../../../domain/limits.ts';
import { resolveInWorkspace } from '../../files/resolve-in-workspace.ts';
import { Journal } from '../snapshots/journal.ts';
import { planMerge, type Merge, type MergedPath } from './merge-files.ts';
import { ancestorsOf, placeOf, showPath, toKey, type PathKey } from '../git/path-key.ts';
import { eachBlob } from '../git/read-blob.ts';
import { deepestFirst } from '../git/restore-paths.ts';
import { newMark, snapshotNow, type SnapshotParts } from '../snapshots/snapshots.ts';
import type { Taken } from '../snapshots/take-snapshot.ts';
import { changes, listTree } from '../git/tree-changes.ts';
import { withWorkspaceLock } from '../snapshots/workspace-lock.ts';
import {
  noteBase,
  readWorktree,
  removeWorktree,
  renewWorktree,
  type Worktree,
  type WorktreeOwner,
} from './worktree.ts';
import { removeEntry, removeFolder, writeEntry } from '../git/write-entry.ts';

export interface MergeRequest extends WorktreeOwner {
  attempt: number;
  deliverables: readonly string[];
}

/** Paths that could not be put together; none when the workspace has everything now. */
export type MergeAnswer = { conflicts: string[] };

/**
 * Brings what a subtask did in its copy into the workspace, one subtask at a time. All of it or nothing: at a conflict the workspace
 * stays as it is, and the copy gets what is new there, so that the next attempt starts from the present state.
 */
export async function mergeWorktree(parts: SnapshotParts, request: MergeRequest): Promise<MergeAnswer> {
  const worktree = await readWorktree(parts, request);
  // It was merged already, and only the answer was lost.
  if (worktree === undefined) return { conflicts: [] };
  const { repository, copy, base } = worktree;
  const deadline = performance.now() + limits.worktreeTimeout;
  const theirs = await withWorkspaceLock(copy.folder, deadline, () => snapshotNow(copy, deadline));
  const conflicts = await withWorkspaceLock(repository.folder, deadline, async () => {
    const ours = await snapshotNow(repository, deadline);
    const merge = await planMerge(
      copy,
      { ours: await changes(copy, base, ours, deadline), theirs: await changes(copy, base, theirs, deadline) },
      deadline,
    );
    if (merge.conflicts.length > 0) {
      const settled = (folder: string): Promise<void> => write(worktree, folder, besideConflicts(merge), deadline);
      noteBase(repository, request, ours);
      await renewWorktree(parts, request, { base: ours, settled, deadline });
    } else await publish(worktree, request, { ours, theirs, merged: merge.merged }, deadline);
    return merge.conflicts;
  });
  if (conflicts.length === 0) await removeWorktree(parts, request);
  return { conflicts: conflicts.map(showPath) };
}

/** What can be kept of the copy's changes when others stand against the workspace's. */
function besideConflicts({ merged, conflicts }: Merge): MergedPath[] {
  const contested = new Set([...conflicts, ...conflicts.flatMap(ancestorsOf)]);
  return merged.filter(({ path }) => !contested.has(path) && !ancestorsOf(path).some((above) => contested.has(above)));
}

/** Between two marks in the workspace's journal that name every path: these changes are surely this subtask's. */
async function publish(
  worktree: Worktree,
  request: MergeRequest,
  { ours, theirs, merged }: { ours: Taken; theirs: Taken; merged: readonly MergedPath[] },
  deadline: number,
): Promise<void> {
  const { repository } = worktree;
  const { taskId, subtaskId, attempt, workspace } = request;
  const unseen = await unseenDeliverables(worktree, theirs, request, deadline);
  const declared = [...merged.map(({ path }) => path), ...unseen.map(toKey)];
  const writer = { task: taskId, subtask: subtaskId, undo: false };
  const mark = (moment: 'start' | 'end', taken: Taken): void =>
    Journal.with(repository.folder, workspace, (journal) =>
      journal.add([newMark({ writer, attempt, moment, declared }, taken, null)], [taken.meta], taken.state),
    );
  mark('start', ours);
  await write(worktree, workspace, merged, deadline);
  for (const path of unseen) await copyPlain(join(worktree.folder, path), join(workspace, path));
  mark('end', await snapshotNow(repository, deadline));
}

/** Deliverables that git ignores, or that are too large for it: they were asked for, so they come along all the same. */
async function unseenDeliverables(
  { folder, copy }: Worktree,
  theirs: Taken,
  { deliverables, workspace }: MergeRequest,
  deadline: number,
): Promise<string[]> {
  if (deliverables.length === 0) return [];
  const seen = new Set(
    [...(await listTree(copy, theirs.tree, deadline)).keys()].flatMap((path) => [path, ...ancestorsOf(path)]),
  );
  const unseen = deliverables.filter((path) => existsSync(join(folder, path)) && !seen.has(toKey(path)));
  const places = await Promise.all(unseen.map((path) => resolveInWorkspace(workspace, path)));
  return unseen.filter((_, index) => places[index]?.kind !== 'outside');
}

async function copyPlain(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, force: true, verbatimSymlinks: true });
}

/** Removals first: they make room where a folder becomes a file. A folder goes with its last file if the copy has none of that name. */
async function write(
  { copy, folder }: Worktree,
  target: string,
  merged: readonly MergedPath[],
  deadline: number,
): Promise<void> {
  const removed = merged.filter(({ entry }) => entry === null).map(({ path }) => path);
  for (const path of removed) await removeEntry(target, path);
  const emptied = new Set(removed.flatMap(ancestorsOf).filter((above) => !existsSync(placeOf(folder, above))));
  for (const above of deepestFirst(emptied)) await removeFolder(target, above);
  const stored: { path: PathKey; entry: NonNullable<MergedPath['entry']>; oid: string }[] = [];
  for (const { path, entry, bytes } of merged) {
    if (entry === null) continue;
    if (bytes === undefined) stored.push({ path, entry, oid: entry.oid });
    else await writeEntry(target, path, entry, bytes);
  }
  await eachBlob(copy, stored, deadline, ({ path, entry }, bytes) => writeEntry(target, path, entry, bytes));
}
