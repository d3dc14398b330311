import type { Stats } from 'node:fs';
import {
  chmod,
  constants,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises';

import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { syncFile } from '../../system/durable-file.ts';
import { sha256 } from '../../system/hash-file.ts';
import { systemCode } from '../../system/system-error.ts';
import type { TreeEntry } from './entry.ts';
import { listAncestors, bytesOf, parentOf, diskPath, showPath, type PathKey } from './path-key.ts';

/** Begins the names of files that are being restored: snapshots never see them, and the next undo uses the same name again. */
export const temporaryPrefix = '.heddle-undo~';

/** Puts a file or link in its place in one step: a reader, or a crash, meets the old one or the new one. */
export async function writeEntry(workspace: string, path: PathKey, entry: TreeEntry, bytes: Buffer): Promise<void> {
  await replace(workspace, path, (place) =>
    entry.kind === 'link' ? symlink(bytes, place) : writeFile(place, bytes, entry.permissions),
  );
}

/** The same with the bytes of another file, however many they are. */
export async function copyEntry(workspace: string, path: PathKey, from: Buffer): Promise<void> {
  await replace(workspace, path, async (place) => {
    await copyFile(from, place, constants.COPYFILE_EXCL);
    await syncFile(place);
  });
}

async function replace(workspace: string, path: PathKey, fill: (place: Buffer) => Promise<void>): Promise<void> {
  await makeParents(workspace, path);
  const folder = parentOf(path);
  const name = `${temporaryPrefix}${sha256(bytesOf(path)).slice(0, 16)}`;
  const temporary = diskPath(workspace, folder === '' ? name : `${folder}/${name}`);
  await unlink(temporary).catch((error: unknown) => unless(error, 'ENOENT'));
  try {
    await fill(temporary);
    if ((await look(diskPath(workspace, path)))?.isDirectory() === true) await removeHollowFolder(workspace, path);
    await rename(temporary, diskPath(workspace, path));
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Removes a file or link, never a folder. */
export async function removeEntry(workspace: string, path: PathKey): Promise<void> {
  await checkParents(workspace, path);
  await unlink(diskPath(workspace, path)).catch((error: unknown) => unless(error, 'ENOENT', 'ENOTDIR'));
}

export async function setPermissions(workspace: string, path: PathKey, permissions: number): Promise<void> {
  await checkParents(workspace, path);
  await chmod(diskPath(workspace, path), permissions);
}

/** Removes a folder in which there is nothing but folders; false when there is more. */
export async function removeHollowFolder(workspace: string, path: PathKey): Promise<boolean> {
  const inside = await foldersIn(workspace, path);
  if (inside === undefined) return false;
  for (const folder of inside) if (!(await removeEmptyFolder(workspace, folder))) return false;
  return true;
}

/** Deepest first, itself last; undefined when something else is in one of them, or it is no folder itself. */
async function foldersIn(workspace: string, path: PathKey): Promise<PathKey[] | undefined> {
  const folders: PathKey[] = [];
  const entries = await readdir(diskPath(workspace, path), { encoding: 'buffer', withFileTypes: true }).catch(
    () => undefined,
  );
  for (const entry of entries ?? []) {
    const inside = entry.isDirectory()
      ? await foldersIn(workspace, `${path}/${entry.name.toString('latin1')}`)
      : undefined;
    if (inside === undefined) return undefined;
    folders.push(...inside);
  }
  return entries === undefined ? undefined : [...folders, path];
}

/** Removes a folder if it is empty; false when it is not, or no folder. */
export async function removeEmptyFolder(workspace: string, path: PathKey): Promise<boolean> {
  await checkParents(workspace, path);
  try {
    await rmdir(diskPath(workspace, path));
    return true;
  } catch (error) {
    unless(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR');
    return false;
  }
}

async function writeFile(place: Buffer, bytes: Buffer, permissions: number): Promise<void> {
  const file = await open(place, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.chmod(permissions);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function makeParents(workspace: string, path: PathKey): Promise<void> {
  for (const folder of listAncestors(path).reverse()) {
    if (!(await isFolder(workspace, folder))) await mkdir(diskPath(workspace, folder));
  }
}

/** Nothing is ever written or removed through a link: it could lead out of the workspace. */
async function checkParents(workspace: string, path: PathKey): Promise<void> {
  for (const folder of listAncestors(path).reverse()) if (!(await isFolder(workspace, folder))) return;
}

/** False when nothing is there; anything but a folder is refused. */
async function isFolder(workspace: string, folder: PathKey): Promise<boolean> {
  const stats = await look(diskPath(workspace, folder));
  if (stats === undefined || stats.isDirectory()) return stats !== undefined;
  throw new HeddleError({
    code: 'UNDO_CONFLICT',
    message: `${showPath(folder)} is a file or a link now, not a folder`,
    hint: 'Move it away, then undo again: what is already done is kept.',
  });
}

async function look(place: Buffer): Promise<Stats | undefined> {
  try {
    return await lstat(place);
  } catch (error) {
    unless(error, 'ENOENT', 'ENOTDIR');
    return undefined;
  }
}

function unless(error: unknown, ...codes: string[]): void {
  if (!codes.includes(systemCode(error) ?? '')) throw error;
}
