import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';

import { activityLimits } from '../../limits/activity-limits.ts';
import { systemCode } from '../../system/system-error.ts';
import { parentOf, diskPath, type PathKey } from './path-key.ts';
import type { ShadowRepository } from './shadow-repository.ts';
import { SnapshotTrouble } from './snapshot-trouble.ts';

/*
 * The bytes of files are read and hashed here and not by git: at a path that becomes a folder meanwhile git would take in the repository
 * that somebody put there, as a link to it, and run the programs of its settings at its next look. Only files and links ever get into the index.
 */

/** A file or link as it goes into the index. */
export interface Hashed {
  path: PathKey;
  mode: '100644' | '100755' | '120000';
  oid: string;
  bytes: number;
}

/** How many files are read before other work gets its turn. */
const breath = 200;

/** Bytes of new files that are handed to git at once. */
const groupBytes = 32 * 1024 * 1024;

/** Reads files and stores their bytes. Those that are no file or link any more, or are reached through a link by now, are left out. */
export async function hashFiles(
  repository: ShadowRepository,
  files: readonly { path: PathKey; oid: string | undefined }[],
  deadline: number,
): Promise<Hashed[]> {
  const hashed: Hashed[] = [];
  const together = files.length >= activityLimits.workspace.packedTogether;
  let group: Buffer[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (group.length > 0) await importBlobs(repository, group, deadline);
    [group, size] = [[], 0];
  };
  for (const [index, { path, oid: knownOid }] of files.entries()) {
    if (index % breath === breath - 1) await breathe();
    if (performance.now() > deadline) throw new SnapshotTrouble('it took too long');
    const entry = readEntry(repository.workspace, path);
    if (entry === undefined) continue;
    const head = Buffer.from(`blob ${entry.bytes.length}\0`);
    const oid = createHash('sha1').update(head).update(entry.bytes).digest('hex');
    hashed.push({ path, mode: entry.mode, oid, bytes: entry.bytes.length });
    if (oid === knownOid) continue;
    if (!together) writeBlob(repository, oid, head, entry.bytes);
    else {
      group.push(entry.bytes);
      size += entry.bytes.length;
      if (size > groupBytes || group.length >= activityLimits.workspace.chunk) await flush();
    }
  }
  await flush();
  return hashed;
}

/** A pipe without a writer does not hold us, and a link put there meanwhile is not followed. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const changedMeanwhile = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EINVAL', 'ENXIO', 'EACCES', 'EPERM']);

function readEntry(workspace: string, path: PathKey): { mode: Hashed['mode']; bytes: Buffer } | undefined {
  const place = diskPath(workspace, path);
  try {
    const file = openSync(place, flags);
    try {
      const stats = fstatSync(file);
      const isSmall = stats.size <= activityLimits.workspace.fileBytes;
      if (!stats.isFile() || !isSmall || !isAt(file, place)) return undefined;
      return { mode: (stats.mode & 0o100) === 0 ? '100644' : '100755', bytes: readAll(file, stats.size) };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (systemCode(error) === 'ELOOP' || systemCode(error) === 'EMLINK') return readLink(workspace, path);
    if (changedMeanwhile.has(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** A folder on the way that is a link by now leads anywhere. */
function isAt(file: number, place: Buffer): boolean {
  if (!existsSync('/proc/self/fd')) return realpathSync(place, 'buffer').equals(place);
  return readlinkSync(`/proc/self/fd/${file}`, 'buffer').equals(place);
}

function readAll(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let read = 0;
  for (;;) {
    const more = readSync(file, bytes, read, size - read, read);
    read += more;
    if (more === 0 || read === size) return bytes.subarray(0, read);
  }
}

function readLink(workspace: string, path: PathKey): { mode: '120000'; bytes: Buffer } | undefined {
  const parent = parentOf(path);
  const folder = parent === '' ? Buffer.from(workspace) : diskPath(workspace, parent);
  try {
    if (!realpathSync(folder, 'buffer').equals(folder)) return undefined;
    return { mode: '120000', bytes: readlinkSync(diskPath(workspace, path), 'buffer') };
  } catch (error) {
    if (changedMeanwhile.has(systemCode(error) ?? '') || systemCode(error) === 'ELOOP') return undefined;
    throw error;
  }
}

/** As git stores one that is not in a pack. */
function writeBlob({ gitDir }: ShadowRepository, oid: string, head: Buffer, bytes: Buffer): void {
  const folder = join(gitDir, 'objects', oid.slice(0, 2));
  const place = join(folder, oid.slice(2));
  if (existsSync(place)) return;
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `tmp_obj_${process.pid}`);
  writeFileSync(temporary, deflateSync(Buffer.concat([head, bytes]), { level: 1 }), { mode: 0o444 });
  renameSync(temporary, place);
}

/** Many as one pack: creating a file for each takes most of the time. */
async function importBlobs(repository: ShadowRepository, blobs: readonly Buffer[], deadline: number): Promise<void> {
  const newLine = Buffer.from('\n');
  const stdin = Buffer.concat(blobs.flatMap((bytes) => [Buffer.from(`blob\ndata ${bytes.length}\n`), bytes, newLine]));
  const settings = ['-c', 'fastimport.unpackLimit=0', '-c', 'pack.compression=1'];
  await repository.git([...settings, 'fast-import', '--quiet', '--depth=0'], { stdin, deadline });
}
