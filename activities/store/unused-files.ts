import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { link, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { systemCode } from '../system/system-error.ts';

/** Something on the disk that may go as a whole. */
export interface Item {
  path: string;
  bytes: number;
  /** When it, or the newest file in it, was last used, in milliseconds. */
  used: number;
}

export async function listFiles(folder: string): Promise<Item[]> {
  const files = (await listEntries(folder)).filter((entry) => entry.isFile());
  const items = await Promise.all(files.map(({ name }) => readItem(join(folder, name))));
  return items.filter((item) => item !== undefined);
}

/** Each folder with all that is in it. */
export async function listFolders(folder: string): Promise<Item[]> {
  const folders = (await listEntries(folder)).filter((entry) => entry.isDirectory());
  const items = await Promise.all(folders.map(({ name }) => readItem(join(folder, name))));
  return items.filter((item) => item !== undefined);
}

/** A file, or a folder with all that is in it; undefined when it is gone. */
export async function readItem(path: string): Promise<Item | undefined> {
  try {
    const stats = await stat(path);
    if (!stats.isDirectory()) return { path, bytes: stats.size, used: stats.mtimeMs };
    const inside = [...(await listFiles(path)), ...(await listFolders(path))];
    return {
      path,
      bytes: inside.reduce((sum, { bytes }) => sum + bytes, 0),
      used: inside.reduce((newest, { used }) => Math.max(newest, used), stats.mtimeMs),
    };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function listEntries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Removes a file or folder unless it was used since it was looked at; says whether it is gone by this. */
export async function removeUnused({ path, used }: Item): Promise<boolean> {
  const now = await readItem(path);
  if (now === undefined || now.used > used) return false;
  await rm(path, { recursive: true, force: true });
  return true;
}

/**
 * The same for an object, which somebody may put again in this very moment: it is moved aside in one step first, so that a later writer stores it again, and put back when a writer came just before.
 */
export async function removeUnusedObject({ path, used }: Item, aside: string): Promise<boolean> {
  const now = await readItem(path);
  if (now === undefined || now.used > used) return false;
  const moved = join(aside, `${basename(path)}-${randomBytes(6).toString('hex')}`);
  try {
    await rename(path, moved);
  } catch (error) {
    // Another one that prunes was first.
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
  const wasUsed = ((await readItem(moved))?.used ?? Infinity) > used;
  // Not rename: an object that was stored again meanwhile stays.
  if (wasUsed)
    await link(moved, path).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
    });
  await unlink(moved);
  return !wasUsed;
}
