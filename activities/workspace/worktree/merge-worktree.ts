import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { syncFolder } from '../../system/durable-file.ts';
import { haveSameBytes } from '../../system/hash-file.ts';
import { resolveInWorkspace } from '../../files/resolve-in-workspace.ts';
import { Journal } from '../snapshots/journal.ts';
import { planMerge, type Merge, type MergedPath } from './merge-files.ts';
import { bringGenerated, sortGenerated, withUnmerged, type GeneratedOfCopy } from './merge-generated.ts';
import { copyPlain } from './copy-plain.ts';
import { decodePath, listAncestors, diskPath, showPath, toKey, type PathKey } from '../git/path-key.ts';
import type { TreeEntry } from '../git/entry.ts';
import { eachBlob } from '../git/read-blob.ts';
import { deepestFirst } from '../git/restore-paths.ts';
import { newMark, snapshotNow, type SnapshotParts } from '../snapshots/snapshots.ts';
import type { Taken } from '../snapshots/take-snapshot.ts';
import { changes, listTree } from '../git/tree-changes.ts';
import { withWorkspaceLock } from '../snapshots/workspace-lock.ts';
import { makeCopy, removeCopy } from './make-copy.ts';
import { notes, writeNote, type WorktreeOwner } from './worktree-notes.ts';
import { findWork, noteBase, withOwnerLock, worktreeMissing, type Worktree } from './worktree.ts';
import { copyEntry, removeEntry, removeEmptyFolder, writeEntry } from '../git/write-entry.ts';

export interface MergeRequest extends WorktreeOwner {
  attempt: number;
  deliverables: readonly string[];
}

/** Paths that could not be put together; none when the workspace has everything now. */
export type MergeAnswer = { conflicts: string[] };

/**
 * Brings what a subtask did in its copy into the workspace, one subtask at a time. All of it or nothing: at a conflict the workspace
 * stays as it is, and the copy gets what is new there, so that the next attempt starts from the present state. Asked again after a
 * crash it gives the same answer: a merge and a refusal are both noted.
 */
export function mergeWorktree(parts: SnapshotParts, request: MergeRequest): Promise<MergeAnswer> {
  return withOwnerLock(parts, request, async (deadline) => {
    const place = await findWork(parts, request, deadline);
    if (place.kind === 'missing') throw worktreeMissing(request);
    if (place.kind === 'merged') {
      // Only the answer was lost, and perhaps the time to clear away.
      await removeCopy(parts, request);
      return { conflicts: [] };
    }
    const { refused } = place.worktree;
    const conflicts =
      refused?.attempt === request.attempt ? refused.conflicts : await merge(parts, request, place.worktree, deadline);
    return { conflicts: conflicts.map(showPath) };
  });
}

async function merge(
  parts: SnapshotParts,
  request: MergeRequest,
  worktree: Worktree,
  deadline: number,
): Promise<PathKey[]> {
  const { repository, copy, base } = worktree;
  const theirs = await withWorkspaceLock(copy.folder, deadline, () =>
    snapshotNow(copy, deadline, { kept: base.meta.kept }),
  );
  const conflicts = await withWorkspaceLock(repository.folder, deadline, async () => {
    const ours = await snapshotNow(repository, deadline, { declared: request.deliverables.map(toKey) });
    const plan = await planMerge(
      copy,
      {
        ours: await changes(copy, base, ours, deadline),
        theirs: await changes(copy, base, theirs, deadline),
        isSameLarge: (path) => haveSameBytes(diskPath(request.workspace, path), diskPath(worktree.folder, path)),
      },
      deadline,
    );
    const { unseen, blocked } = await unseenDeliverables(worktree, theirs, request, deadline);
    plan.conflicts.push(...blocked);
    const generated = await sortGenerated(theirs, request);
    if (plan.conflicts.length > 0) {
      const settled = async (folder: string): Promise<void> => {
        await write(worktree, folder, besideConflicts(plan), deadline);
        const rest = [...generated.movable, ...generated.unmerged].flatMap((path) => decodePath(path) ?? []);
        for (const path of [...rest, ...unseen])
          await copyPlain(join(worktree.folder, path), join(folder, path), deadline);
      };
      const refused = { attempt: request.attempt, conflicts: plan.conflicts };
      noteBase(repository, request, ours);
      await makeCopy(parts, request, { base: ours, refused, settled }, deadline);
    } else await publish(worktree, request, { ours, merged: plan.merged, unseen, generated }, deadline);
    return plan.conflicts;
  });
  if (conflicts.length > 0) return conflicts;
  await writeNote(parts.root, request, notes.merged, { attempt: request.attempt });
  await removeCopy(parts, request);
  return [];
}

/** Selects the changes of the copy that can be kept when others stand against the workspace's. */
function besideConflicts({ merged, conflicts }: Merge): MergedPath[] {
  const contested = new Set([...conflicts, ...conflicts.flatMap(listAncestors)]);
  return merged.filter(
    ({ path }) => !contested.has(path) && !listAncestors(path).some((above) => contested.has(above)),
  );
}

interface Publication {
  ours: Taken;
  merged: readonly MergedPath[];
  /** Deliverables that git ignores. */
  unseen: readonly string[];
  generated: GeneratedOfCopy;
}

/** Between two marks in the workspace's journal that name every path: these changes are surely this subtask's. */
async function publish(
  worktree: Worktree,
  request: MergeRequest,
  { ours, merged, unseen, generated }: Publication,
  deadline: number,
): Promise<void> {
  const { repository } = worktree;
  const { taskId, subtaskId, attempt, workspace } = request;
  const declared = [...merged.map(({ path }) => path), ...unseen.map(toKey), ...generated.movable];
  const writer = { task: taskId, subtask: subtaskId, undo: false };
  const mark = (moment: 'start' | 'end', taken: Taken): void =>
    Journal.with(repository.folder, workspace, (journal) =>
      journal.add([newMark({ writer, attempt, moment, declared }, taken, null)], [taken.meta], taken.state),
    );
  mark('start', ours);
  await write(worktree, workspace, merged, deadline);
  for (const path of generated.movable) await bringGenerated(worktree.folder, workspace, path, deadline);
  for (const path of unseen) await copyPlain(join(worktree.folder, path), join(workspace, path), deadline);
  mark('end', withUnmerged(await snapshotNow(repository, deadline), generated.unmerged));
}

/**
 * Deliverables that git ignores: they were asked for, so they come along all the same. Blocked are those that would be written
 * through a link to somewhere else.
 */
async function unseenDeliverables(
  { folder, copy }: Worktree,
  theirs: Taken,
  { deliverables, workspace }: MergeRequest,
  deadline: number,
): Promise<{ unseen: string[]; blocked: PathKey[] }> {
  const result: { unseen: string[]; blocked: PathKey[] } = { unseen: [], blocked: [] };
  if (deliverables.length === 0) return result;
  const copyPaths = [
    ...(await listTree(copy, theirs.tree, deadline)).keys(),
    ...theirs.meta.outside.flatMap(({ path, why }) => (why === 'large' ? [path] : [])),
  ];
  const seen = new Set(copyPaths.flatMap((path) => [path, ...listAncestors(path)]));
  for (const path of deliverables) {
    if (seen.has(toKey(path)) || !existsSync(join(folder, path))) continue;
    if ((await resolveInWorkspace(workspace, path)).kind === 'outside') result.blocked.push(toKey(path));
    else result.unseen.push(path);
  }
  return result;
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
  const emptied = new Set(removed.flatMap(listAncestors).filter((above) => !existsSync(diskPath(folder, above))));
  for (const above of deepestFirst(emptied)) await removeEmptyFolder(target, above);
  const stored: { path: PathKey; entry: TreeEntry; oid: string }[] = [];
  for (const { path, entry, bytes } of merged) {
    if (entry === null) continue;
    if (entry === 'large') {
      await copyEntry(target, path, diskPath(folder, path));
      continue;
    }
    if (bytes === undefined) stored.push({ path, entry, oid: entry.oid });
    else await writeEntry(target, path, entry, bytes);
  }
  await eachBlob(copy, stored, deadline, ({ path, entry }, bytes) => writeEntry(target, path, entry, bytes));
  await syncFolders(
    target,
    merged.map(({ path }) => path),
  );
}

/** The names of what was written and removed: a power cut must not take back what is noted as merged. */
async function syncFolders(target: string, paths: readonly PathKey[]): Promise<void> {
  const folders = new Set(paths.flatMap(listAncestors));
  for (const folder of folders) if (existsSync(diskPath(target, folder))) await syncFolder(diskPath(target, folder));
  if (paths.length > 0) await syncFolder(target);
}
