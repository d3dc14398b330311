import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { hashOpenFile, sha256 } from '../../system/hash-file.ts';
import { systemCode } from '../../system/system-error.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { HeldFolder } from './held-folder.ts';
import { withConfined, type Roots, type ConfinedPath } from './open-confined.ts';
import { PathProblem } from './path-problem.ts';
import { openRegular } from './read-below.ts';
import { newWalk, walkBelow } from './walk-below.ts';

/** The mark by which an entry is recognized: the hash of a file's content, for others a word that changes when they do. Renaming changes none. */
export async function stampBelow(target: ConfinedPath, signal: AbortSignal): Promise<string | null> {
  const stats = await look(target.folder, target.name);
  if (stats === undefined) return null;
  if (stats.isSymbolicLink()) return `link:${sha256(await readlink(target.folder.at(target.name)))}`;
  if (stats.isDirectory()) return `folder:${await stampFolder(target, signal)}`;
  if (!stats.isFile()) return `special:${stats.mode}:${stats.ino}`;
  if (stats.size > activityLimits.tools.hashedBytes) return bySize(stats);
  const file = await openRegular(target);
  try {
    return (await hashOpenFile(file)).sha256;
  } finally {
    await file.close();
  }
}

/** The same by its path in the workspace, a link at the end kept; null also where a folder on the way is missing. */
export async function stampPath(roots: Roots, path: string, signal: AbortSignal): Promise<string | null> {
  try {
    return await withConfined(roots, { path, to: 'write', last: 'keep' }, (target) => stampBelow(target, signal));
  } catch (error) {
    if (error instanceof PathProblem && error.kind === 'missing') return null;
    throw error;
  }
}

/** Names, kinds, sizes and times of what is in it. */
async function stampFolder({ folder, name }: ConfinedPath, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const inside = await folder.openInside(name);
  try {
    for await (const met of walkBelow(inside, newWalk(), signal)) {
      const stats = await look(met.folder, met.name);
      hash.update(`${met.path}\0${stats === undefined ? '' : formatStamp(stats)}\0`);
    }
  } finally {
    await inside.close();
  }
  return hash.digest('hex');
}

/** The time of a folder changes when it is moved, on some systems. */
const formatStamp = (stats: Stats): string => (stats.isDirectory() ? 'folder' : `${stats.mode}:${bySize(stats)}`);

const bySize = ({ size, mtimeMs }: Stats): string => `size:${size}:${mtimeMs}`;

async function look(folder: HeldFolder, name: string): Promise<Stats | undefined> {
  try {
    return await lstat(folder.at(name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
