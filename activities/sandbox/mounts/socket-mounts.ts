import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isBelow, type Mount } from './mount.ts';

/** Most sockets of one machine that are looked at. */
const most = 10_000;

/**
 * Sockets of other programs in folders that a command sees: agents with keys, container engines. A read-only mount does not keep anybody
 * from talking to them, so an empty file lies over each.
 */
export async function maskSockets(seen: readonly Mount[]): Promise<Mount[]> {
  const folders = seen.flatMap((mount) => (mount.kind === 'read' || mount.kind === 'write' ? [mount.from] : []));
  const named = (await realPlaces(await boundSockets())).filter((path) =>
    folders.some((folder) => isBelow(folder, path)),
  );
  const masks: Mount[] = [];
  for (const at of new Set(named)) {
    const isThere = await lstat(at).then(
      (stats) => stats.isSocket(),
      () => false,
    );
    if (isThere) masks.push({ kind: 'read', at, from: '/dev/null' });
  }
  return masks;
}

/** Without the links on the way, by which programs may have named them. */
async function realPlaces(paths: readonly string[]): Promise<string[]> {
  const folders = new Map<string, string>();
  for (const folder of new Set(paths.map((path) => dirname(path))))
    folders.set(folder, await realpath(folder).catch(() => folder));
  return paths.map((path) => join(folders.get(dirname(path)) ?? '/', basename(path)));
}

/** Places of all sockets that programs of this machine listen at, as they named them. */
async function boundSockets(): Promise<string[]> {
  const text = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const paths = text.split('\n').flatMap((line) => /^(?:\S+ +){7}(?<path>\/.*)$/.exec(line)?.groups?.['path'] ?? []);
  return paths.slice(0, most);
}
