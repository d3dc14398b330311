import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { worktreeFolder } from '../../home/home-layout.ts';
import { ensureFolder, syncTree } from '../../system/durable-file.ts';
import { systemCode } from '../../system/system-error.ts';
import { diskPath } from '../git/path-key.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { Snapshot } from '../git/snapshot.ts';
import { openRepository, type SnapshotParts } from '../snapshots/snapshots.ts';
import { withWorkspaceLock } from '../snapshots/workspace-lock.ts';
import {
  filesFolder,
  notes,
  promoteNote,
  removeNotes,
  writeNote,
  type CopyNote,
  type WorktreeOwner,
} from './worktree-notes.ts';

/** A state of the workspace to start from, and what is settled of the subtask's own changes on top of it. */
export interface NewCopy extends CopyNote {
  settled?: (folder: string) => Promise<void>;
}

const halfFolder = (root: string, owner: WorktreeOwner): string => `${filesFolder(root, owner)}.half`;

/**
 * Makes a copy beside the one that is there, and lets it take that one's place when it is complete and on the disk. Cut off before,
 * nothing has changed; cut off after, `adoptCopy` goes on. Only under the owner's lock.
 */
export async function makeCopy(
  parts: SnapshotParts,
  owner: WorktreeOwner,
  { base, refused, settled }: NewCopy,
  deadline: number,
): Promise<void> {
  const half = halfFolder(parts.root, owner);
  await rm(half, { recursive: true, force: true });
  await ensureFolder(worktreeFolder(parts.root, owner));
  await mkdir(half, { mode: 0o700 });
  await checkOut(openRepository(parts, owner.workspace), base, half, deadline);
  await settled?.(half);
  await writeNote(parts.root, owner, notes.next, { base: { tree: base.tree, meta: base.meta }, refused });
  await adoptCopy(parts, owner, deadline);
}

/** Puts the next copy in its place; each step can be done again. Only where there is a note of a next one. */
export async function adoptCopy(parts: SnapshotParts, owner: WorktreeOwner, deadline: number): Promise<void> {
  const [files, half] = [filesFolder(parts.root, owner), halfFolder(parts.root, owner)];
  // Once it has moved, the files in their place are the new ones.
  if (existsSync(half)) {
    await rm(files, { recursive: true, force: true });
    await rename(half, files);
  }
  const [repository, copy] = [openRepository(parts, owner.workspace), openRepository(parts, files)];
  await withWorkspaceLock(copy.folder, deadline, () => borrowObjects(repository, copy));
  await promoteNote(parts.root, owner);
}

/** Removes a copy whose result is merged or given up. Only under the owner's lock. */
export async function removeCopy(parts: SnapshotParts, owner: WorktreeOwner): Promise<void> {
  await removeNotes(parts.root, owner, [notes.next, notes.copy]);
  for (const folder of [filesFolder(parts.root, owner), halfFolder(parts.root, owner)])
    await rm(folder, { recursive: true, force: true });
  await rm(openRepository(parts, filesFolder(parts.root, owner)).folder, { recursive: true, force: true });
}

/** By git itself, which writes thousands of files in a second, from an index that nobody else uses. */
async function checkOut(
  repository: ShadowRepository,
  { tree, meta }: Snapshot,
  folder: string,
  deadline: number,
): Promise<void> {
  const env = { GIT_INDEX_FILE: `${folder}.index` };
  try {
    await repository.git(['read-tree', tree], { env, deadline });
    await repository.git(['checkout-index', '--all', `--prefix=${folder}/`], { env, deadline });
  } finally {
    await rm(env.GIT_INDEX_FILE, { force: true });
  }
  // A file that a power cut emptied would be merged as the subtask's own change.
  await syncTree(folder, deadline);
  for (const [path, mode] of Object.entries(meta.modes)) {
    try {
      await chmod(diskPath(folder, path), mode);
    } catch (error) {
      // The list also names files that git does not hold: they are in no copy.
      if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw error;
    }
  }
}

/** Both repositories know the objects of the workspace, so that three states of a file can be compared in one of them. */
async function borrowObjects(repository: ShadowRepository, copy: ShadowRepository): Promise<void> {
  await copy.make();
  const info = join(copy.gitDir, 'objects', 'info');
  await mkdir(info, { recursive: true });
  await writeFile(join(info, 'alternates'), `${join(repository.gitDir, 'objects')}\n`);
}
