import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../activities/store/system-error.ts';
import { pruneSnapshots } from '../../activities/workspace/snapshots/prune-snapshots.ts';
import { hashOfFile, rootOfStore, runningFolder, storeFolders, taskFolder } from '../../activities/home-layout.ts';
import type { Pruned, PruneRequest } from '../../client/ports/files.ts';
import { workerLimits } from '../limits.ts';
import type { Environment, HeddleHome } from './home.ts';

/** Something on the disk that may go as a whole. */
interface Item {
  path: string;
  bytes: number;
  /** When it was last used, in milliseconds. */
  used: number;
}

const { retention } = workerLimits;

/**
 * Removes what is old from a home. What an open task refers to stays, whatever its age, and so does everything of the last hour: an
 * attempt stores its output before its task knows of it.
 */
export async function pruneHome(
  home: Pick<HeddleHome, 'store' | 'logs'>,
  request: PruneRequest,
  env: Environment = process.env,
): Promise<Pruned> {
  const now = Date.now();
  const before = (age: number): number => now - Math.max(request.olderThan ?? age, retention.youngest);
  const objects = await surplusObjects(home, request, before(retention.store), now - retention.youngest);
  const half = await filesOf(storeFolders(home.store).temporary);
  const root = rootOfStore(home.store);
  const open = new Set(request.openTasks.map((id) => taskFolder(root, id)));
  const attempts = (await foldersOf(runningFolder(root))).filter(({ path }) => !open.has(path));
  const logs = (await filesOf(home.logs)).filter(({ used }) => used < before(retention.logs));
  const old = {
    objects,
    temporary: half.filter(({ used }) => used < now - retention.youngest),
    attempts: attempts.filter(({ used }) => used < before(retention.attempts)),
    logs,
  };
  const all = Object.values(old).flat();
  if (!request.dryRun) for (const { path } of all) await rm(path, { recursive: true, force: true });
  const snapshots = await pruneSnapshots(
    { root, env },
    { before: before(retention.store), openTasks: new Set(request.openTasks), dryRun: request.dryRun },
  );
  return {
    snapshots,
    objects: old.objects.length,
    attempts: old.attempts.length,
    logs: old.logs.length,
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Too old, or, oldest first, more than the store may hold. Its clock is the last use, which every `put` of the same bytes renews. */
async function surplusObjects(
  home: Pick<HeddleHome, 'store'>,
  { keep, maxBytes = retention.storeBytes }: PruneRequest,
  before: number,
  youngest: number,
): Promise<Item[]> {
  const { objects } = storeFolders(home.store);
  const found = (await Promise.all((await entriesOf(objects)).map(({ name }) => filesOf(join(objects, name))))).flat();
  const free = found
    .filter(({ path, used }) => used < youngest && !keep.has(hashOfFile(path)))
    .sort((a, b) => a.used - b.used);
  let held = found.reduce((sum, { bytes }) => sum + bytes, 0);
  return free.filter(({ used, bytes }) => {
    if (used >= before && held <= maxBytes) return false;
    held -= bytes;
    return true;
  });
}

async function filesOf(folder: string): Promise<Item[]> {
  const files = (await entriesOf(folder)).filter((entry) => entry.isFile());
  const items = await Promise.all(files.map(({ name }) => itemOf(join(folder, name))));
  return items.filter((item) => item !== undefined);
}

/** Each folder with all that is in it; it was used when the newest file in it was. */
async function foldersOf(folder: string): Promise<Item[]> {
  const folders = (await entriesOf(folder)).filter((entry) => entry.isDirectory());
  return Promise.all(
    folders.map(async ({ name }) => {
      const path = join(folder, name);
      const inside = [...(await filesOf(path)), ...(await foldersOf(path))];
      const own = (await itemOf(path))?.used ?? 0;
      return {
        path,
        bytes: inside.reduce((sum, { bytes }) => sum + bytes, 0),
        used: Math.max(own, ...inside.map(({ used }) => used)),
      };
    }),
  );
}

async function itemOf(path: string): Promise<Item | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return { path, bytes: size, used: mtimeMs };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
