import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../store/system-error.ts';
import { temporaryPrefix } from '../../workspace/git/write-entry.ts';
import { activityLimits } from '../../limits.ts';
import type { HeldFolder } from './held-folder.ts';

/** What was met on a walk. `folder` is held only until the next one is asked for. */
export interface Met {
  folder: HeldFolder;
  name: string;
  /** From where the walk began. */
  path: string;
  entry: Dirent;
}

/** Large, and nobody's work. */
const skipped = new Set(['.git', 'node_modules']);

/** What a walk left out. */
export interface Walk {
  /** Entries that it may still look at. */
  left: number;
  /** Folders that could not be looked into. */
  unreadable: string[];
  /** Folders that it passes by without a word: absolute. */
  hidden: readonly string[];
}

export const newWalk = (hidden: readonly string[] = []): Walk => ({
  left: activityLimits.tools.entries,
  unreadable: [],
  hidden,
});

/** Everything below a folder, sorted, a folder before what is in it. Links are met, not followed. Ends early when `walk.left` is spent. */
export async function* walkBelow(folder: HeldFolder, walk: Walk, signal: AbortSignal, above = ''): AsyncGenerator<Met> {
  for (const entry of await entriesOf(folder)) {
    signal.throwIfAborted();
    if (entry.name.startsWith(temporaryPrefix) || walk.hidden.includes(join(folder.real, entry.name))) continue;
    if (walk.left <= 0) return;
    walk.left -= 1;
    const path = above + entry.name;
    yield { folder, name: entry.name, path, entry };
    if (!entry.isDirectory() || skipped.has(entry.name)) continue;
    const inside = await openNext(folder, entry.name, path);
    if (inside === undefined) {
      walk.unreadable.push(path);
      continue;
    }
    try {
      yield* walkBelow(inside, walk, signal, `${path}/`);
    } finally {
      await inside.close();
    }
  }
}

/** Undefined when it is gone, no folder any more, too deep, or not ours to read. */
async function openNext(folder: HeldFolder, name: string, path: string): Promise<HeldFolder | undefined> {
  if (path.split('/').length > activityLimits.tools.depth) return undefined;
  try {
    return await folder.openInside(name);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

async function entriesOf(folder: HeldFolder): Promise<Dirent[]> {
  const entries = await readdir(folder.path, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
