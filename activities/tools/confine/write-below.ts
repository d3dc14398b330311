import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { sha256 } from '../../system/hash-file.ts';
import { systemCode } from '../../system/system-error.ts';
import { temporaryPrefix } from '../../workspace/git/write-entry.ts';
import type { HeldFolder } from './held-folder.ts';
import { explain, type ConfinedPath } from './open-confined.ts';
import type { FileHead } from './read-below.ts';
import { emptyFolder } from './remove-below.ts';

/** Names for what is unfinished at an entry: snapshots leave them out, and `sweepBelow` finds them again after a crash. */
const temporaryStart = (name: string): string => `${temporaryPrefix}${sha256(name).slice(0, 16)}-`;

export const temporaryName = (name: string): string => `${temporaryStart(name)}${randomBytes(6).toString('hex')}`;

export interface NewContent {
  text: string | Uint8Array;
  /** The file that it replaces. */
  was: FileHead | undefined;
  signal: AbortSignal;
}

/**
 * Puts a whole file in its place in one step, on disk when this returns. Permissions and owner of what was there are kept. Fails before
 * the step as a `PathProblem` or system error, with nothing changed but parents that were made.
 */
export async function writeBelow(
  { folder, name, path }: ConfinedPath,
  { text, was, signal }: NewContent,
): Promise<void> {
  const temporary = folder.at(temporaryName(name));
  try {
    const file = await open(temporary, 'wx', was === undefined ? 0o666 : 0o600);
    try {
      await file.writeFile(text);
      // A user who may not give files away keeps the new owner; the bits come last, since a change of owner clears some.
      if (was !== undefined) await file.chown(was.owner.uid, was.owner.gid).catch(() => undefined);
      if (was !== undefined) await file.chmod(was.mode);
      await file.datasync();
    } finally {
      await file.close();
    }
    // A caller that gave up waiting for a slow disk may have looked already: nothing happens behind their back.
    signal.throwIfAborted();
    await rename(temporary, folder.at(name));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw explain(error, path);
  }
  await folder.sync();
}

/** Removes what a crash left unfinished at an entry. */
export async function sweepBelow(folder: HeldFolder, name: string, signal: AbortSignal): Promise<void> {
  const start = temporaryStart(name);
  for (const entry of await readdir(folder.path, { withFileTypes: true })) {
    if (!entry.name.startsWith(start)) continue;
    if (entry.isDirectory()) await removeFolderBelow(folder, entry.name, signal);
    else await unlink(folder.at(entry.name)).catch(ignoreAbsent);
  }
}

/** A folder with all that is in it, without following any link. */
export async function removeFolderBelow(folder: HeldFolder, name: string, signal: AbortSignal): Promise<void> {
  const inside = await folder.openInside(name);
  try {
    await emptyFolder(inside, signal);
  } finally {
    await inside.close();
  }
  await rmdir(folder.at(name));
}

function ignoreAbsent(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error;
}
