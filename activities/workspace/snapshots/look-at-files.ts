import { accessSync, constants, lstatSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';

import { activityLimits } from '../../limits/activity-limits.ts';
import { systemCode } from '../../system/system-error.ts';
import { diskPath, type PathKey } from '../git/path-key.ts';

/** The entry that is at a path now. */
export interface FileStats {
  kind: 'file' | 'link' | 'folder' | 'special' | 'missing' | 'unreadable';
  permissions: number;
  size: number;
  /** Tells two states of a file apart without reading it. */
  stamp: string;
  /** When its content or mode was changed last, in milliseconds. */
  changedAt: number;
}

const missing: FileStats = { kind: 'missing', permissions: 0, size: 0, stamp: '', changedAt: 0 };

const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/** How many files are looked at before other work gets its turn: heartbeats must go on. */
const breath = 500;

export async function lookAtFiles(workspace: string, keys: Iterable<PathKey>): Promise<Map<PathKey, FileStats>> {
  const looks = new Map<PathKey, FileStats>();
  for (const key of keys) {
    looks.set(key, lookAt(workspace, key));
    if (looks.size % breath === 0) await breathe();
  }
  return looks;
}

/** Never follows a symlink at the end of the path. */
export function lookAt(workspace: string, key: PathKey): FileStats {
  const place = diskPath(workspace, key);
  try {
    const stats = lstatSync(place);
    const look = {
      permissions: stats.mode & 0o7777,
      size: stats.size,
      stamp: `${stats.size}:${stats.mtimeMs}:${stats.ino}`,
      changedAt: stats.ctimeMs,
    };
    if (stats.isSymbolicLink()) return { ...look, kind: 'link' };
    if (stats.isDirectory()) return { ...look, kind: 'folder' };
    if (!stats.isFile()) return { ...look, kind: 'special' };
    return { ...look, kind: isReadable(place) ? 'file' : 'unreadable' };
  } catch (error) {
    if (absent.has(systemCode(error) ?? '')) return missing;
    if (systemCode(error) === 'EACCES') return { ...missing, kind: 'unreadable' };
    throw error;
  }
}

function isReadable(place: Buffer): boolean {
  // The administrator reads everything.
  if (process.getuid?.() === 0) return true;
  try {
    accessSync(place, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

export const isLarge = ({ kind, size }: FileStats): boolean =>
  kind === 'file' && size > activityLimits.workspace.fileBytes;
