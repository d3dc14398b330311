import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { escapePath, glob } from 'tinyglobby';
import { activityLimits } from '../../limits/activity-limits.ts';
import { mayHold } from './may-hold.ts';
import { kindOfError, resolveInWorkspace } from '../../files/resolve-in-workspace.ts';

/** Not anybody's deliverable, and large. */
const ignoredFolders = ['.git', 'node_modules'];

/** Files that were found, and folders and files that could not be looked into: nobody knows what is in them. */
export interface Listing {
  paths: string[];
  unreadable: string[];
}

/** Regular files below a folder, at most `most`; symlinks are not followed. Paths are relative to the folder. */
export async function listFilesBelow(folder: string, most: number, signal: AbortSignal): Promise<Listing> {
  const listing: Listing = { paths: [], unreadable: [] };
  for await (const { path, entry } of walk(folder, signal)) {
    if (entry === 'unreadable') listing.unreadable.push(path);
    else if (entry.isFile()) listing.paths.push(path);
    if (listing.paths.length >= most) break;
  }
  return listing;
}

/**
 * Files of the workspace that match, hidden ones too. A symlink to a file inside counts as a file; one to a folder is not followed,
 * since it may lead through the whole disk, or back.
 */
export async function globFiles(root: string, patterns: readonly string[], signal: AbortSignal): Promise<Listing> {
  const { links, unreadable } = await survey(root, signal);
  const few = links.slice(0, activityLimits.maxCheckedFiles).map(escapePath);
  const paths = await glob(patterns.filter(staysInside), {
    cwd: root,
    dot: true,
    followSymbolicLinks: links.length === few.length,
    ignore: [...ignoredFolders.map((name) => `**/${name}/**`), ...few.flatMap((link) => [link, `${link}/**`])],
    signal,
  });
  return {
    paths: paths.sort(),
    unreadable: unreadable.filter((path) => patterns.some((pattern) => mayHold(path, pattern))),
  };
}

/** Links that are not to be followed, and what cannot be looked into. */
async function survey(root: string, signal: AbortSignal): Promise<{ links: string[]; unreadable: string[] }> {
  const result = { links: new Array<string>(), unreadable: new Array<string>() };
  for await (const { path, entry } of walk(root, signal)) {
    if (entry === 'unreadable') {
      result.unreadable.push(path);
    } else if (entry.isSymbolicLink()) {
      const { kind } = await resolveInWorkspace(root, path);
      if (kind !== 'file') result.links.push(path);
      if (kind === 'unreadable') result.unreadable.push(path);
    }
  }
  return result;
}

/** A glob that climbs would have the whole disk searched. */
function staysInside(pattern: string): boolean {
  return !/^!?\/|(?:^!?|[/{,(|])\.\.(?:[/},)|]|$)/.test(pattern);
}

async function* walk(
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<{ path: string; entry: Dirent | 'unreadable' }> {
  const folders = [''];
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    signal.throwIfAborted();
    const entries = await listEntries(join(folder, at));
    if (entries === 'unreadable') {
      yield { path: at, entry: entries };
      continue;
    }
    for (const entry of entries) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && !ignoredFolders.includes(entry.name)) folders.push(path);
      yield { path, entry };
    }
  }
}

/** Sorted; a folder that vanished has nothing to look at. An unreadable folder may hold anything. */
export async function listEntries(folder: string): Promise<Dirent[] | 'unreadable'> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const kind = kindOfError(error);
    if (kind === 'other') throw error;
    return kind === 'forbidden' ? 'unreadable' : [];
  }
}
