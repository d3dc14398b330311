import { realpath } from 'node:fs/promises';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import type { Writer } from '../../../domain/types/basic/workspace.ts';
import type { Restored } from '../../../domain/types/outcome.ts';
import { isLargeText, isLeftOutText, isUnmergedText } from '../git/entry.ts';
import { restore, type Restoration } from '../git/restore-paths.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import { SnapshotTrouble } from '../git/snapshot-trouble.ts';
import { changes } from '../git/tree-changes.ts';
import { findSpan } from '../snapshots/files-of-attempt.ts';
import { Journal } from '../snapshots/journal.ts';
import { newMark, openRepository, snapshotNow, type SnapshotParts } from '../snapshots/snapshots.ts';
import { withWorkspaceLock } from '../snapshots/workspace-lock.ts';
import { removeWorktree } from '../worktree/worktree.ts';
import type { WorktreeOwner } from '../worktree/worktree-notes.ts';

/**
 * Undoes what one attempt changed, as far as that is surely its own and still as it left it: the rest stays, and its number is told. Cut off
 * in between, it can be run again.
 */
export async function revertAttempt(
  parts: SnapshotParts,
  about: WorktreeOwner & { attempt: number; isolated: boolean },
): Promise<Restored> {
  try {
    if (!about.isolated) return await revertInWorkspace(parts, about);
    // Nothing of it was merged: the next attempt starts from the workspace again.
    await removeWorktree(parts, about);
    return { files: 0 };
  } catch (error) {
    if (error instanceof HeddleError || error instanceof SnapshotTrouble) return { refused: error.message };
    throw error;
  }
}

async function revertInWorkspace(parts: SnapshotParts, about: WorktreeOwner & { attempt: number }): Promise<Restored> {
  const repository = openRepository(parts, await realpath(about.workspace));
  const unseen = { refused: 'No snapshots show what the attempt changed' };
  if (!repository.isThere || !Journal.exists(repository.folder)) return unseen;
  const deadline = performance.now() + limits.worktreeTimeout;
  return withWorkspaceLock(repository.folder, deadline, async () => {
    const journal = Journal.open(repository.folder);
    try {
      return (await revert(repository, journal, about, deadline)) ?? unseen;
    } finally {
      journal.close();
    }
  });
}

async function revert(
  repository: ShadowRepository,
  journal: Journal,
  { taskId: task, subtaskId: subtask, attempt }: WorktreeOwner & { attempt: number },
  deadline: number,
): Promise<Restored | undefined> {
  const span = findSpan(journal, journal.marksOfAttempt({ task, subtask, attempt }));
  if (span === undefined) return undefined;
  const now = await snapshotNow(repository, deadline);
  journal.add([], [now.meta], now.state);
  const later = new Map((await changes(repository, span.to, now, deadline)).map((change) => [change.path, change]));
  const restorations: Restoration[] = [];
  let left = 0;
  for (const { path, before, after } of await changes(repository, span.from, span.to, deadline)) {
    const current = later.get(path)?.after ?? after;
    if (current === before) continue;
    if (span.isOwn(path) && current === after && isHeld(before) && isHeld(after))
      restorations.push({ path, now: current, target: before });
    else left += 1;
  }
  if (restorations.length > 0)
    await perform(repository, journal, { writer: { task, subtask, undo: true }, attempt, restorations, deadline });
  return { files: restorations.length, ...(left === 0 ? {} : { left }) };
}

/** Its content is in the repository, or there is none. */
const isHeld = (entry: string): boolean => !isLargeText(entry) && !isLeftOutText(entry) && !isUnmergedText(entry);

/** Between two marks of its own, so that a later undo knows who changed these files back. */
async function perform(
  repository: ShadowRepository,
  journal: Journal,
  work: { writer: Writer; attempt: number; restorations: Restoration[]; deadline: number },
): Promise<void> {
  const { writer, attempt, restorations, deadline } = work;
  const declared = restorations.map(({ path }) => path);
  const before = await snapshotNow(repository, deadline);
  journal.add([newMark({ writer, attempt, moment: 'start', declared }, before, null)], [before.meta], before.state);
  await restore(repository, restorations, { deadline, mayRemoveFolder: () => false });
  const after = await snapshotNow(repository, deadline);
  journal.add([newMark({ writer, attempt, moment: 'end', declared }, after, null)], [after.meta], after.state);
}
