import { realpath } from 'node:fs/promises';

import { activityLimits } from '../../limits/activity-limits.ts';
import { patchBetween } from '../git/patch-between.ts';
import { decodePath, type PathKey } from '../git/path-key.ts';
import { nothing } from '../git/entry.ts';
import type { Meta } from '../git/snapshot.ts';
import { changes, type TreeChange } from '../git/tree-changes.ts';
import { findSpan } from '../snapshots/files-of-attempt.ts';
import { Journal } from '../snapshots/journal.ts';
import { openRepository, snapshotNow, type SnapshotParts } from '../snapshots/snapshots.ts';
import { withWorkspaceLock } from '../snapshots/workspace-lock.ts';
import { placeOfWork } from './worktree.ts';
import type { WorktreeOwner } from './worktree-notes.ts';

export interface SubtaskChanges {
  /** A unified diff. */
  patch: string;
  /** Files that are there, relative to where it works. */
  paths: string[];
  /** True where these are all the changes of the subtask. */
  isKnown: boolean;
}

const unknown: SubtaskChanges = { patch: '', paths: [], isKnown: false };

/**
 * Reads the changes of a subtask from its first attempt on, as far as they are surely its own. There are none where nobody can tell: what is shown of it
 * is a help, and its deliverables are looked at anyway.
 */
export async function changesOfSubtask(
  parts: SnapshotParts,
  about: WorktreeOwner & { attempt: number; isolated: boolean },
): Promise<SubtaskChanges> {
  try {
    const deadline = performance.now() + activityLimits.workspace.snapshotTimeout;
    return await (about.isolated ? inCopy(parts, about, deadline) : inWorkspace(parts, about, deadline));
  } catch {
    return unknown;
  }
}

async function inWorkspace(
  parts: SnapshotParts,
  { workspace, taskId: task, subtaskId: subtask, attempt }: WorktreeOwner & { attempt: number },
  deadline: number,
): Promise<SubtaskChanges> {
  const repository = openRepository(parts, await realpath(workspace));
  if (!repository.isThere || !Journal.exists(repository.folder)) return unknown;
  const span = Journal.with(repository.folder, undefined, (journal) => {
    const attempts = Array.from({ length: attempt }, (_, n) => n + 1);
    return findSpan(
      journal,
      attempts.flatMap((each) => journal.marksOfAttempt({ task, subtask, attempt: each })),
    );
  });
  if (span === undefined) return unknown;
  const changed = (await changes(repository, span.from, span.to, deadline)).filter(({ path }) => span.isOwn(path));
  const paths = changed.map(({ path }) => path).sort();
  const patch = await patchBetween(repository, { ...span, paths }, deadline);
  return { patch, paths: left(changed), isKnown: isAllHeld(span.from.meta, span.to.meta) };
}

async function inCopy(
  parts: SnapshotParts,
  owner: WorktreeOwner & { attempt: number },
  deadline: number,
): Promise<SubtaskChanges> {
  const place = await placeOfWork(parts, owner);
  if (place.kind !== 'copy') return unknown;
  const { copy, base } = place.worktree;
  const now = await withWorkspaceLock(copy.folder, deadline, () =>
    snapshotNow(copy, deadline, { kept: base.meta.kept }),
  );
  const changed = await changes(copy, base, now, deadline);
  const paths: PathKey[] = changed.map(({ path }) => path).sort();
  return {
    patch: await patchBetween(copy, { from: base, to: now, paths }, deadline),
    paths: left(changed),
    isKnown: isAllHeld(base.meta, now.meta),
  };
}

/** False where a generated folder changed that is in no snapshot. Those that the user's rules ignore are no part of the work. */
function isAllHeld(from: Meta, to: Meta): boolean {
  const paths = new Set([...Object.keys(from.leftOut), ...Object.keys(to.leftOut)]);
  return [...paths].every((path) => {
    const [before, after] = [from.leftOut[path], to.leftOut[path]];
    // A copy begins without those of the workspace.
    return after === undefined || after.ignored || (after.stamp ?? '') === (before?.stamp ?? '');
  });
}

const left = (treeChanges: readonly TreeChange[]): string[] =>
  treeChanges.flatMap(({ path, after }) => (after === nothing ? [] : (decodePath(path) ?? []))).sort();
