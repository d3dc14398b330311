import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../system/system-error.ts';
import { temporaryPrefix } from '../../workspace/git/write-entry.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { IgnoreRules } from './ignored-by-git.ts';
import type { HeldFolder } from './held-folder.ts';

/** An entry that was met on a walk. `folder` is held only until the next one is asked for. */
export interface WalkEntry {
  folder: HeldFolder;
  name: string;
  /** From where the walk began. */
  path: string;
  entry: Dirent;
}

/** These folders are large, and no subtask made them. */
const skipped = new Set(['.git', 'node_modules']);

/** The entries that a walk left out. */
export interface Walk {
  /** Entries that it may still look at. */
  left: number;
  /** Folders that could not be looked into. */
  unreadable: string[];
  /** Folders that it passes by without a word: absolute. */
  hidden: readonly string[];
  /** Looked at no longer than this (of `performance.now`). */
  until: number;
  /** Set once something was passed by that git ignores. */
  ignored: boolean;
}

export const newWalk = (hidden: readonly string[] = [], until = Infinity): Walk => ({
  left: activityLimits.tools.entries,
  unreadable: [],
  hidden,
  until,
  ignored: false,
});

/** The position of a walk: the path so far, and what git ignores there. */
interface Here {
  above?: string;
  rules?: IgnoreRules | undefined;
}

/**
 * Everything below a folder, sorted, a folder before what is in it. Links are met, not followed. Ends early when `walk.left` is spent or its time is over. With
 * `rules`, which are those of the folder itself, what git ignores is passed by.
 */
export async function* walkBelow(
  folder: HeldFolder,
  walk: Walk,
  signal: AbortSignal,
  { above = '', rules }: Here = {},
): AsyncGenerator<WalkEntry> {
  for (const entry of await listEntries(folder)) {
    signal.throwIfAborted();
    if (entry.name.startsWith(temporaryPrefix) || walk.hidden.includes(join(folder.real, entry.name))) continue;
    if (walk.left <= 0 || performance.now() > walk.until) return;
    walk.left -= 1;
    const path = above + entry.name;
    if (rules?.ignores(path, entry.isDirectory()) === true) {
      walk.ignored = true;
      continue;
    }
    yield { folder, name: entry.name, path, entry };
    if (!entry.isDirectory() || skipped.has(entry.name)) continue;
    const inside = await openNext(folder, entry.name, path);
    if (inside === undefined) {
      walk.unreadable.push(path);
      continue;
    }
    try {
      const below = rules === undefined ? undefined : await IgnoreRules.read(inside.path, `${path}/`, rules);
      yield* walkBelow(inside, walk, signal, { above: `${path}/`, rules: below });
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

async function listEntries(folder: HeldFolder): Promise<Dirent[]> {
  const entries = await readdir(folder.path, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
