import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Objects and claims never change: not even their owner may write them by accident. */
const readOnly = 0o444;

/** The store holds what programs printed, which may be private. */
const privateFolder = 0o700;

/** Makes the bytes of a file survive a power cut. */
export async function syncFile(path: string | Buffer): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The same for what was linked, renamed or created in a folder. */
export async function syncFolder(path: string | Buffer): Promise<void> {
  await syncFile(path);
}

/** Files that are waited for at once: the disk takes the syncs of many together. */
const syncsAtOnce = 64;

/** Makes a file, or a folder with all that is in it, survive a power cut. Links are part of the folder that they are in. */
export async function syncTree(path: string, deadline: number): Promise<void> {
  const files: Buffer[] = [];
  const start = Buffer.from(path);
  const stats = await lstat(start);
  if (stats.isDirectory()) await listTree(start, files);
  else if (stats.isFile()) files.push(start);
  for (let at = 0; at < files.length; at += syncsAtOnce) {
    if (performance.now() >= deadline) throw tooSlow(path);
    await Promise.all(files.slice(at, at + syncsAtOnce).map((place) => syncFile(place)));
  }
}

/** Names as bytes: they need not be UTF-8. */
async function listTree(folder: Buffer, files: Buffer[]): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const place = Buffer.concat([folder, Buffer.from('/'), entry.name]);
    if (entry.isDirectory()) await listTree(place, files);
    else if (entry.isFile()) files.push(place);
  }
  files.push(folder);
}

/** As the system would say it: trouble of the machine, which passes. */
function tooSlow(path: string): Error {
  return Object.assign(new Error(`writing ${path} to the disk took too long`), { code: 'ETIMEDOUT', syscall: 'fsync' });
}

/** Creates a folder and its parents, durably. */
export async function ensureFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: privateFolder });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** Writes a whole file of a name nobody else uses, read-only and on disk when this returns; nothing is left after a failure. */
export async function writeTemporary(folder: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, `${process.pid.toString(36)}-${randomBytes(12).toString('hex')}`);
  const file = await open(path, 'wx', readOnly);
  try {
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await unlink(path);
    throw error;
  }
  return path;
}

/** Replaces a file as a whole: a reader sees the old content or the new, never a part. `durable` also outlives a power cut. */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  options: { durable: boolean },
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await file.writeFile(content);
      if (options.durable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary);
    throw error;
  }
  if (options.durable) await syncFolder(dirname(path));
}
