import { tryParseJson } from '../../../domain/util/try-parse-json.ts';
import { readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

import { worktreeFolder } from '../../home/home-layout.ts';
import { ensureFolder, replaceFile, syncFolder } from '../../system/durable-file.ts';
import { systemCode } from '../../system/system-error.ts';
import type { Snapshot } from '../git/snapshot.ts';

/** The subtask that a worktree belongs to. */
export interface WorktreeOwner {
  taskId: string;
  subtaskId: string;
  workspace: string;
}

/** The folder that the subtask's programs run in. */
export const filesFolder = (root: string, owner: WorktreeOwner): string => join(worktreeFolder(root, owner), 'files');

const snapshot: z.ZodType<Snapshot> = z.object({
  tree: z.string(),
  meta: z.object({
    usual: z.object({ file: z.number(), program: z.number() }),
    modes: z.record(z.string(), z.number()),
    outside: z.array(
      z
        .object({ path: z.string(), why: z.enum(['large', 'unreadable']), stamp: z.string().optional() })
        .transform(({ stamp, ...entry }) => (stamp === undefined ? entry : { ...entry, stamp })),
    ),
    folders: z.array(z.string()),
    leftOut: z.record(z.string(), z.object({ stamp: z.string().nullable(), ignored: z.boolean() })).default({}),
    kept: z.array(z.string()).default([]),
  }),
});

/** The state of the workspace that a copy was made from, and the merge that was refused when it was made. */
const copyNote = z.object({
  base: snapshot,
  refused: z.object({ attempt: z.number(), conflicts: z.array(z.string()) }).nullable(),
});

export type CopyNote = z.infer<typeof copyNote>;

const mergedNote = z.object({ attempt: z.number() });

/** The word about a merge: written when everything is in the workspace and on the disk, and by nothing else. */
export type MergedNote = z.infer<typeof mergedNote>;

/** One file beside the copy. */
interface Note<T> {
  file: string;
  schema: z.ZodType<T>;
}

export const notes = {
  /** The note of the copy that is in use. */
  copy: { file: 'base.json', schema: copyNote } satisfies Note<CopyNote>,
  /** The note of a copy that is complete and about to replace the one in use. */
  next: { file: 'next.json', schema: copyNote } satisfies Note<CopyNote>,
  merged: { file: 'merged.json', schema: mergedNote } satisfies Note<MergedNote>,
};

const notePath = (root: string, owner: WorktreeOwner, { file }: { file: string }): string =>
  join(worktreeFolder(root, owner), file);

/** Undefined: it was never written. `unreadable`: it was, and nobody can tell what it said. */
export async function readNote<T>(
  root: string,
  owner: WorktreeOwner,
  note: Note<T>,
): Promise<T | 'unreadable' | undefined> {
  let text: string;
  try {
    text = await readFile(notePath(root, owner, note), 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const parsed = note.schema.safeParse(tryParseJson(text));
  return parsed.success ? parsed.data : 'unreadable';
}

/** Whole and on the disk when it returns. */
export async function writeNote<T>(root: string, owner: WorktreeOwner, note: Note<T>, value: T): Promise<void> {
  await ensureFolder(worktreeFolder(root, owner));
  await replaceFile(notePath(root, owner, note), JSON.stringify(value), { durable: true });
}

/** The next copy is the copy now. */
export async function promoteNote(root: string, owner: WorktreeOwner): Promise<void> {
  const path = notePath(root, owner, notes.copy);
  await rename(notePath(root, owner, notes.next), path);
  await syncFolder(dirname(path));
}

/** Before anything else goes: what is left is nothing that anybody takes for a copy or a merge. */
export async function removeNotes(
  root: string,
  owner: WorktreeOwner,
  unwanted: readonly { file: string }[],
): Promise<void> {
  await ensureFolder(worktreeFolder(root, owner));
  for (const note of unwanted) await rm(notePath(root, owner, note), { force: true });
  await syncFolder(worktreeFolder(root, owner));
}
