import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { limits } from '../../../domain/limits.ts';
import { worktreeFolder } from '../../home-layout.ts';
import { ensureFolder, replaceFile } from '../../store/durable-file.ts';
import { Journal } from '../snapshots/journal.ts';
import { placeOf } from '../git/path-key.ts';
import type { ShadowRepository } from '../git/shadow-repository.ts';
import type { Snapshot } from '../git/snapshot.ts';
import { newMark, openRepository, snapshotNow, type SnapshotParts } from '../snapshots/snapshots.ts';
import type { Taken } from '../snapshots/take-snapshot.ts';
import { withWorkspaceLock } from '../snapshots/workspace-lock.ts';

/** Whose worktree it is. */
export interface WorktreeOwner {
  taskId: string;
  subtaskId: string;
  workspace: string;
}

/** A copy of a workspace in which one subtask works alone, and the state of the workspace that it was copied from. */
export interface Worktree {
  folder: string;
  base: Snapshot;
  /** Of the workspace. */
  repository: ShadowRepository;
  /** Of the copy; it reads the objects of the workspace's too. */
  copy: ShadowRepository;
}

/** Where the subtask's programs run. */
export const filesFolder = (root: string, owner: WorktreeOwner): string => join(worktreeFolder(root, owner), 'files');

const baseFile = (root: string, owner: WorktreeOwner): string => join(worktreeFolder(root, owner), 'base.json');

/** The subtask's copy, made from the workspace as it is now where there is none. A retry finds its own files in it. */
export async function openWorktree(parts: SnapshotParts, owner: WorktreeOwner): Promise<Worktree> {
  const found = await readWorktree(parts, owner);
  return found ?? makeWorktree(parts, owner);
}

/** Undefined where there is none, or one that was not finished. */
export async function readWorktree(parts: SnapshotParts, owner: WorktreeOwner): Promise<Worktree | undefined> {
  if (!existsSync(baseFile(parts.root, owner))) return undefined;
  const base = JSON.parse(await readFile(baseFile(parts.root, owner), 'utf8')) as Snapshot;
  return describe(parts, owner, base);
}

function describe(parts: SnapshotParts, owner: WorktreeOwner, base: Snapshot): Worktree {
  const folder = filesFolder(parts.root, owner);
  return {
    folder,
    base,
    repository: openRepository(parts, owner.workspace),
    copy: openRepository(parts, folder),
  };
}

async function makeWorktree(parts: SnapshotParts, owner: WorktreeOwner): Promise<Worktree> {
  const deadline = performance.now() + limits.worktreeTimeout;
  const repository = openRepository(parts, owner.workspace);
  const base = await withWorkspaceLock(repository.folder, deadline, async () => {
    const taken = await snapshotNow(repository, deadline);
    noteBase(repository, owner, taken);
    return taken;
  });
  await removeWorktree(parts, owner);
  return fill(parts, owner, { base, settled: () => Promise.resolve(), deadline });
}

/** A new state of the workspace to start from, and what is settled of the copy's own changes on top of it. */
export interface Renewal {
  base: Snapshot;
  settled: (folder: string) => Promise<void>;
  deadline: number;
}

/** Makes the copy anew. Cut off in the middle, it is made anew from nothing. */
export async function renewWorktree(parts: SnapshotParts, owner: WorktreeOwner, renewal: Renewal): Promise<void> {
  await rm(baseFile(parts.root, owner), { force: true });
  await fill(parts, owner, renewal);
}

async function fill(parts: SnapshotParts, owner: WorktreeOwner, renewal: Renewal): Promise<Worktree> {
  const { base, settled, deadline } = renewal;
  const worktree = describe(parts, owner, base);
  const half = `${worktree.folder}.half`;
  await rm(half, { recursive: true, force: true });
  await ensureFolder(worktreeFolder(parts.root, owner));
  await mkdir(half, { mode: 0o700 });
  await checkOut(worktree.repository, base, half, deadline);
  await settled(half);
  await rm(worktree.folder, { recursive: true, force: true });
  await rename(half, worktree.folder);
  await withWorkspaceLock(worktree.copy.folder, deadline, () => borrowObjects(worktree, deadline));
  await writeBase(parts, owner, base);
  return worktree;
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

/** Written last and whole: without it the rest is made anew. */
async function writeBase(parts: SnapshotParts, owner: WorktreeOwner, base: Snapshot): Promise<void> {
  await replaceFile(baseFile(parts.root, owner), JSON.stringify({ tree: base.tree, meta: base.meta }), {
    durable: true,
  });
}

export async function removeWorktree(parts: SnapshotParts, owner: WorktreeOwner): Promise<void> {
  await rm(baseFile(parts.root, owner), { force: true });
  await rm(worktreeFolder(parts.root, owner), { recursive: true, force: true });
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
  for (const [path, mode] of Object.entries(meta.modes))
    await chmod(placeOf(folder, path), mode).catch(() => undefined);
}

/** Both repositories know the objects of the workspace, so that three states of a file can be compared in one of them. */
async function borrowObjects({ repository, copy }: Worktree, deadline: number): Promise<void> {
  await copy.make(deadline);
  const info = join(copy.gitDir, 'objects', 'info');
  await mkdir(info, { recursive: true });
  await writeFile(join(info, 'alternates'), `${join(repository.gitDir, 'objects')}\n`);
}
