import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { activityLimits } from '../limits/activity-limits.ts';
import { isSystemError } from '../system/system-error.ts';

export interface ChangeSearch {
  /** Milliseconds of this machine's clock. */
  since: number;
  /** Folders that do not count, such as Heddle's own. */
  except: readonly string[];
  signal: AbortSignal;
}

/**
 * Returns true if anything below a folder was written, made or removed since then, ignored files and repositories included: the system
 * notes the time of each, and a program cannot set it. It stops at the first change; everything beyond the limits counts as unchanged.
 */
export async function findChange(folder: string, { since, except, signal }: ChangeSearch): Promise<boolean> {
  const limit = activityLimits.changeSearch;
  const deadline = performance.now() + limit.time;
  const left = new Set(await Promise.all(except.map((path) => realpath(path).catch(() => path))));
  const folders = [folder];
  let entries = 0;
  if (await isNewer(folder, since)) return true;
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    signal.throwIfAborted();
    for (const entry of await listEntries(at)) {
      const path = join(at, entry.name);
      if (left.has(path)) continue;
      entries += 1;
      if (entries > limit.entries || performance.now() > deadline) return false;
      if (await isNewer(path, since)) return true;
      if (entry.isDirectory()) folders.push(path);
    }
  }
  return false;
}

/** A file that vanishes during the search leaves its trace in its folder. */
async function isNewer(path: string, since: number): Promise<boolean> {
  try {
    return (await lstat(path)).ctimeMs >= since;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return false;
  }
}

async function listEntries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return [];
  }
}
