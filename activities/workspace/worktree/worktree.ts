import { existsSync } from 'node:fs';

import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { toKey, type PathKey } from '../git/path-key.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import { Journal } from '../snapshots/journal.ts';
import { newMark, openRepository, snapshotNow, type SnapshotParts } from '../snapshots/snapshots.ts';
import type { Taken } from '../snapshots/take-snapshot.ts';
import { withWorkspaceLock } from '../snapshots/workspace-lock.ts';
import { adoptCopy, makeCopy, removeCopy } from './make-copy.ts';
import { worktreeFolder } from '../../home/home-layout.ts';
import { filesFolder, notes, readNote, removeNotes, type CopyNote } from './worktree-notes.ts';
import type { WorktreeOwner } from './worktree-notes.ts';

/** A copy of a workspace in which one subtask works alone. */
export interface Worktree extends CopyNote {
  folder: string;
  /** The workspace's repository. */
  repository: ShadowRepository;
  /** The copy's repository, which reads the objects of the workspace's too. */
  copy: ShadowRepository;
}

/** The place of an attempt's work. `missing` is never an answer to be content with: it was there once. */
export type WorktreePlace = { kind: 'copy'; worktree: Worktree } | { kind: 'merged' } | { kind: 'missing' };

/** The subtask's copy, made from the workspace as it is now where there is none. A retry finds its own files in it. */
export async function openWorktree(
  parts: SnapshotParts,
  owner: WorktreeOwner,
  deliverables: readonly string[] = [],
): Promise<Worktree> {
  return withOwnerLock(parts, owner, async (deadline) => {
    // An earlier attempt was merged: this one starts from the workspace again.
    const isMerged = (await readNote(parts.root, owner, notes.merged)) !== undefined;
    const existing = isMerged ? undefined : await readWorktree(parts, owner, deadline);
    if (existing !== undefined) return existing;
    await makeWorktree(parts, owner, deliverables.map(toKey), deadline);
    const made = await readWorktree(parts, owner, deadline);
    if (made === undefined) throw worktreeMissing(owner);
    return made;
  });
}

/** Finds the work of an attempt that ran in a copy. */
export function placeOfWork(parts: SnapshotParts, owner: WorktreeOwner & { attempt: number }): Promise<WorktreePlace> {
  return withOwnerLock(parts, owner, (deadline) => findWork(parts, owner, deadline));
}

/** The folder that holds what an attempt did: its copy, or the workspace once it is merged. `WORKTREE_MISSING` otherwise. */
export async function folderOfWork(parts: SnapshotParts, owner: WorktreeOwner & { attempt: number }): Promise<string> {
  const place = await placeOfWork(parts, owner);
  if (place.kind === 'missing') throw worktreeMissing(owner);
  return place.kind === 'copy' ? place.worktree.folder : owner.workspace;
}

/** Only under the owner's lock. */
export async function findWork(
  parts: SnapshotParts,
  owner: WorktreeOwner & { attempt: number },
  deadline: number,
): Promise<WorktreePlace> {
  const merged = await readNote(parts.root, owner, notes.merged);
  if (merged !== undefined && merged !== 'unreadable' && merged.attempt === owner.attempt) return { kind: 'merged' };
  const worktree = await readWorktree(parts, owner, deadline);
  return worktree === undefined ? { kind: 'missing' } : { kind: 'copy', worktree };
}

/** Undefined where there is none, or one that was not finished. */
async function readWorktree(
  parts: SnapshotParts,
  owner: WorktreeOwner,
  deadline: number,
): Promise<Worktree | undefined> {
  const next = await readNote(parts.root, owner, notes.next);
  // Nobody knows how far it took the old one's place.
  if (next === 'unreadable') return undefined;
  if (next !== undefined) await adoptCopy(parts, owner, deadline);
  const note = await readNote(parts.root, owner, notes.copy);
  const folder = filesFolder(parts.root, owner);
  if (note === undefined || note === 'unreadable' || !existsSync(folder)) return undefined;
  const [repository, copy] = [openRepository(parts, owner.workspace), openRepository(parts, folder)];
  return { ...note, folder, repository, copy };
}

async function makeWorktree(
  parts: SnapshotParts,
  owner: WorktreeOwner,
  declared: readonly PathKey[],
  deadline: number,
): Promise<void> {
  const repository = openRepository(parts, owner.workspace);
  const base = await withWorkspaceLock(repository.folder, deadline, async () => {
    const taken = await snapshotNow(repository, deadline, { declared });
    noteBase(repository, owner, taken);
    return taken;
  });
  await removeAll(parts, owner);
  await makeCopy(parts, owner, { base, refused: null }, deadline);
}

/** The journal keeps what a copy was made from as long as its task is known; in the instant of two marks nobody changed anything. */
export function noteBase(
  repository: ShadowRepository,
  { taskId, subtaskId, workspace }: WorktreeOwner,
  taken: Taken,
): void {
  const about = { writer: { task: taskId, subtask: subtaskId, undo: false }, attempt: 0, declared: [] };
  const marks = (['start', 'end'] as const).map((moment) => newMark({ ...about, moment }, taken, null));
  Journal.with(repository.folder, workspace, (journal) => journal.add(marks, [taken.meta], taken.state));
}

/** Gives up the copy and what is in it. */
export function removeWorktree(parts: SnapshotParts, owner: WorktreeOwner): Promise<void> {
  return withOwnerLock(parts, owner, () => removeAll(parts, owner));
}

async function removeAll(parts: SnapshotParts, owner: WorktreeOwner): Promise<void> {
  await removeNotes(parts.root, owner, [notes.merged]);
  await removeCopy(parts, owner);
}

/** One at a time for each copy, also between processes: a try that was only thought dead may still be at it. */
export function withOwnerLock<T>(
  { root }: SnapshotParts,
  owner: WorktreeOwner,
  action: (deadline: number) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + limits.worktreeTimeout;
  return withWorkspaceLock(worktreeFolder(root, owner), deadline, () => action(deadline));
}

export function worktreeMissing({ subtaskId }: WorktreeOwner): HeddleError {
  return new HeddleError({
    code: 'WORKTREE_MISSING',
    message: `The copy of the workspace in which ${subtaskId} worked is gone or incomplete, and was not merged`,
    hint: 'Its next attempt makes a new one. See docs/workspace.md.',
  });
}
