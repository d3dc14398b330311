import { opendir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

import type { Stamp } from '../../domain/types/basic/ref.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { hashFile, sha256 } from '../system/hash-file.ts';
import { isSystemError } from '../system/system-error.ts';
import { kindOfError, resolveInWorkspace } from './resolve-in-workspace.ts';

/** Deliverables as they are now, to be compared with a later stamp. Nothing outside the workspace is looked at. */
export async function stampDeliverables(workspace: string, paths: readonly string[]): Promise<Stamp[]> {
  const stamps: Stamp[] = [];
  for (const path of paths) stamps.push({ path, sha256: await stampPath(workspace, path) });
  return stamps;
}

/** The hash of a file's content; for what has none, a word that changes when it does; null when it is not there. */
async function stampPath(workspace: string, path: string): Promise<string | null> {
  try {
    const place = await resolveInWorkspace(await realpath(workspace), path);
    switch (place.kind) {
      case 'missing':
        return null;
      case 'file':
        return await stampFile(place.real);
      case 'folder':
        return `folder:${sha256(await listFolder(place.real))}`;
      case 'outside':
      case 'special':
      case 'unreadable':
        return place.kind;
    }
  } catch (error) {
    // A workspace that is not there has no file; an unreadable workspace may have it.
    if (kindOfError(error) === 'absent') return null;
    // It changed under our eyes; the checks after the attempt will say what is wrong with it.
    if (isSystemError(error)) return 'unreadable';
    throw error;
  }
}

async function stampFile(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return size > activityLimits.stampBytes ? `size:${size}:${mtimeMs}` : (await hashFile(path)).sha256;
}

/** Names, sizes and times of what is in a folder, up to a limit; symlinks are not followed. */
async function listFolder(folder: string): Promise<string> {
  const lines: string[] = [];
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (lines.length >= activityLimits.stampEntries) break;
    const path = join(entry.parentPath, entry.name);
    const { size, mtimeMs } = entry.isFile() ? await stat(path) : { size: 0, mtimeMs: 0 };
    lines.push(`${relative(folder, path)}\0${size}\0${mtimeMs}`);
  }
  return lines.sort().join('\n');
}
