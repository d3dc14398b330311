import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { serverBinary, serverShelf } from '../../../activities/home/home-layout.ts';
import { workerLimits } from '../../limits/worker-limits.ts';
import { type HeddleHome, makeFolder } from '../../home/home.ts';
import type { RouteContext, TemporalBinary } from './temporal-route.ts';
import { probeTemporal } from './probe-temporal.ts';

/** The CLI that pip and the official download bring (server 1.31.2, UI 2.50.1). */
export const temporalVersion = '1.8.2';
/** The last tag that `go install` accepts (server 1.29.1). */
export const goTemporalVersion = '1.5.1';

const stagingPrefix = '.staging-';

/** The paths of cached binaries, best first. */
export function cachedBinaries(home: HeddleHome): string[] {
  const caches = home.cache === home.sharedCache ? [home.cache] : [home.cache, home.sharedCache];
  return [temporalVersion, goTemporalVersion].flatMap((version) => caches.map((cache) => serverBinary(cache, version)));
}

/**
 * Puts a binary into the cache in one step: `fetch` brings it into a folder of its own and names it, it is tried there, then renamed.
 * Two processes that do this at once both succeed, and neither sees half a file.
 */
export async function installBinary(
  context: RouteContext,
  version: string,
  fetch: (folder: string) => Promise<string>,
): Promise<TemporalBinary> {
  const shelf = serverShelf(context.home.cache);
  makeFolder(shelf);
  sweepStaging(shelf);
  const staging = mkdtempSync(join(shelf, stagingPrefix));
  try {
    const fetched = await fetch(staging);
    chmodSync(fetched, 0o755);
    const probedVersion = await probeTemporal(fetched, { env: context.env, timeout: context.timeouts.probe });
    const path = serverBinary(context.home.cache, version);
    makeFolder(join(path, '..'));
    renameSync(fetched, path);
    return { path, version: probedVersion };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Folders that killed installs left behind; a young one may belong to an install that is running. */
function sweepStaging(shelf: string): void {
  for (const name of readdirSync(shelf)) {
    if (!name.startsWith(stagingPrefix)) continue;
    const folder = join(shelf, name);
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && Date.now() - made > workerLimits.server.stagingAge)
      rmSync(folder, { recursive: true, force: true });
  }
}
