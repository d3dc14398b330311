import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { escapePath, glob } from 'tinyglobby';
import { activityLimits } from '../limits.ts';
import { kindOfError, resolveInWorkspace } from '../files/resolve-in-workspace.ts';

/** Not anybody's deliverable, and large. */
const ignoredFolders = ['.git', 'node_modules'];

/** Regular files below a folder, at most `most`; symlinks are not followed. Paths are relative to the folder. */
export async function listFiles(folder: string, most: number, signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  for await (const { path, entry } of walk(folder, signal)) {
    if (entry.isFile()) found.push(path);
    if (found.length >= most) break;
  }
  return found;
}

/**
 * Files of the workspace that match, hidden ones too. A symlink to a file inside counts as a file; one to a folder is not followed,
 * since it may lead through the whole disk, or back.
 */
export async function globFiles(root: string, patterns: readonly string[], signal: AbortSignal): Promise<string[]> {
  const links = await linksNotToFollow(root, signal);
  const few = links.slice(0, activityLimits.maxCheckedFiles).map(escapePath);
  const paths = await glob(patterns.filter(staysInside), {
    cwd: root,
    dot: true,
    followSymbolicLinks: links.length === few.length,
    ignore: [...ignoredFolders.map((name) => `**/${name}/**`), ...few.flatMap((link) => [link, `${link}/**`])],
    signal,
  });
  return paths.sort();
}

async function linksNotToFollow(root: string, signal: AbortSignal): Promise<string[]> {
  const links: string[] = [];
  for await (const { path, entry } of walk(root, signal)) {
    if (entry.isSymbolicLink() && (await resolveInWorkspace(root, path)).kind !== 'file') links.push(path);
  }
  return links;
}

/** A glob that climbs would have the whole disk searched. */
function staysInside(pattern: string): boolean {
  return !/^!?\/|(?:^!?|[/{,(|])\.\.(?:[/},)|]|$)/.test(pattern);
}

async function* walk(folder: string, signal: AbortSignal): AsyncGenerator<{ path: string; entry: Dirent }> {
  const folders = [''];
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    signal.throwIfAborted();
    for (const entry of await entriesOf(join(folder, at))) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && !ignoredFolders.includes(entry.name)) folders.push(path);
      yield { path, entry };
    }
  }
}

/** Sorted; a folder that vanished or may not be read has nothing to look at. */
export async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (kindOfError(error) === 'other') throw error;
    return [];
  }
}
