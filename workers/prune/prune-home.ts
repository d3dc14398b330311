import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { loadManifest } from '../../activities/artifacts/manifest-file.ts';
import { isArtifactsFile, leasesFile, type ServedTask, taskFolder } from '../../activities/home/home-layout.ts';
import { forgetLeases } from '../../activities/prepare/workspace-lease.ts';
import { hashesInFile } from '../../activities/store/named-hashes.ts';
import { reachable } from '../../activities/store/reachable.ts';
import { claimsFolder, storeFolders } from '../../activities/store/store-layout.ts';
import {
  listFiles,
  listFolders,
  removeUnused,
  removeUnusedObject,
  type Item,
} from '../../activities/store/unused-files.ts';
import { pruneSnapshots } from '../../activities/workspace/snapshots/prune-snapshots.ts';
import type { Pruned, PruneRequest } from '../../client/ports/files.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { defaultLogging } from '../../domain/config/keys/limit-keys.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { ageOfLog, type LogAges } from '../telemetry/log-ages.ts';
import { pruneVariables } from '../home/ended-variables.ts';
import type { Environment, HeddleHome } from '../home/home.ts';
import { forgetServed, mayNeed, noteNeeds, readServed, type Served } from '../home/served-servers.ts';

const { retention } = workerLimits;

interface PruneOptions {
  env?: Environment;
  /** How long logs are kept; the defaults when absent. */
  logs?: LogAges;
  signal?: AbortSignal;
}

/** Objects that are never removed. */
interface Needs {
  openTasks: ReadonlySet<string>;
  hashes: ReadonlySet<string>;
  others: readonly Served[];
}

/**
 * Removes what is old from a home. What an open task refers to stays, whatever its age, and so does everything of the last hour: an
 * attempt stores its output before its task knows of it. Other servers that this home works for are not asked: what their open tasks
 * needed when they were asked stays, and what was used for them since.
 */
export async function pruneHome(
  home: Pick<HeddleHome, 'store' | 'logs'>,
  request: PruneRequest,
  { env = process.env, logs: ages = defaultLogging, signal }: PruneOptions = {},
): Promise<Pruned> {
  const root = dirname(home.store);
  const others = await otherServers(root, request);
  if (!request.dryRun) await noteNeeds(root, request.server, buildNeeds(request));
  const openTasks = new Set([...request.openTasks, ...others.flatMap((other) => other.openTasks)]);
  const named = await namedByLogs(home.store, openTasks);
  const needs: Needs = {
    openTasks,
    hashes: await reachable(home.store, [...request.keep, ...others.flatMap(({ keep }) => keep), ...named]),
    others,
  };
  const servers = new Set([request.server.id, ...others.map(({ id }) => id)]);
  const isOpen = ({ server, task }: ServedTask): boolean => servers.has(server) && openTasks.has(task);
  if (!request.dryRun) await pruneVariables(root, isOpen);
  const old = await findOld(home, request, needs, ages);
  const remove = request.dryRun ? () => Promise.resolve(true) : removeUnused;
  const aside = storeFolders.temporary(home.store);
  if (!request.dryRun && old.objects.length > 0) await mkdir(aside, { recursive: true, mode: 0o700 });
  const objects = await each(old.objects, request.dryRun ? remove : (item) => removeUnusedObject(item, aside), signal);
  const attempts = await each(old.attempts, remove, signal);
  const claims = await each(old.claims, remove, signal);
  const logs = await each(old.logs, remove, signal);
  const temporary = await each(old.temporary, remove, signal);
  const isOld = (at: number): boolean => at < before(request, retention.store) && !isOthers(needs, at);
  const snapshots =
    signal?.aborted === true
      ? 0
      : await pruneSnapshots({ root, environment: env }, { isOld, openTasks: needs.openTasks, dryRun: request.dryRun });
  const all = [objects, attempts, claims, logs, temporary].flat();
  return {
    snapshots,
    objects: objects.length,
    attempts: attempts.length,
    logs: logs.length,
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** Objects that conversations and claims of open tasks name: the history of a task knows nothing of the results inside an attempt. */
async function namedByLogs(store: string, openTasks: ReadonlySet<string>): Promise<Set<string>> {
  const hashes = new Set<string>();
  for (const id of openTasks) {
    const logs = (await listFiles(taskFolder(dirname(store), id))).filter(({ path }) => /\.jsonl?$/.test(path));
    for (const { path } of [...logs, ...(await listFiles(claimsFolder(store, id)))])
      for (const hash of isArtifactsFile(path) ? await keptArtifacts(path) : await hashesInFile(path)) hashes.add(hash);
  }
  return hashes;
}

/** Those that made room for others are not needed, though the manifest names them. */
const keptArtifacts = async (path: string): Promise<string[]> =>
  (await loadManifest(path)).kept.flatMap(({ ref, text }) => [
    ref.sha256,
    ...(text === undefined ? [] : [text.sha256]),
  ]);

const buildNeeds = ({ openTasks, keep, lookedAt }: PruneRequest) => ({
  openTasks: [...openTasks],
  keep: [...keep],
  looked: lookedAt,
});

const before = ({ olderThan, lookedAt }: PruneRequest, age: number): number =>
  lookedAt - Math.max(olderThan ?? age, retention.youngest);

const isOthers = ({ others }: Needs, used: number): boolean => others.some((server) => mayNeed(server, used));

async function findOld(
  home: Pick<HeddleHome, 'store' | 'logs'>,
  request: PruneRequest,
  needs: Needs,
  ages: LogAges,
): Promise<Record<'objects' | 'attempts' | 'claims' | 'logs' | 'temporary', Item[]>> {
  const root = dirname(home.store);
  const open = new Set([...needs.openTasks].flatMap((id) => [taskFolder(root, id), claimsFolder(home.store, id)]));
  const isFree =
    (age: number) =>
    ({ path, used }: Item): boolean =>
      used < before(request, age) && !open.has(path) && !isOthers(needs, used);
  return {
    objects: await surplusObjects(home, request, needs),
    attempts: (await listFolders(join(root, 'running'))).filter(isFree(retention.attempts)),
    claims: (await listFolders(storeFolders.claims(home.store))).filter(isFree(retention.store)),
    logs: (await listFiles(home.logs)).filter(
      ({ path, used }) => used < before(request, ageOfLog(basename(path), ages)),
    ),
    temporary: (await listFiles(storeFolders.temporary(home.store))).filter(
      ({ used }) => used < request.lookedAt - retention.youngest,
    ),
  };
}

/** Too old, or, oldest first, more than the store may hold. Its clock is the last use. */
async function surplusObjects(
  { store }: Pick<HeddleHome, 'store'>,
  request: PruneRequest,
  needs: Needs,
): Promise<Item[]> {
  const { maxBytes = retention.storeBytes, lookedAt } = request;
  const objects: Item[] = [];
  for (const { path } of await listFolders(storeFolders.objects(store))) objects.push(...(await listFiles(path)));
  const free = objects
    .filter(({ used }) => used < lookedAt - retention.youngest && !isOthers(needs, used))
    .filter(({ path }) => !needs.hashes.has(objectHash(path)))
    .sort((a, b) => a.used - b.used);
  let held = objects.reduce((sum, { bytes }) => sum + bytes, 0);
  return free.filter(({ used, bytes }) => {
    if (used >= before(request, retention.store) && held <= maxBytes) return false;
    held -= bytes;
    return true;
  });
}

/** An object's path is its hash after `objects`. */
const objectHash = (path: string): string => `${basename(dirname(path))}${basename(path)}`;

/** Those that went. */
async function each(
  items: readonly Item[],
  remove: (item: Item) => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<Item[]> {
  const removed: Item[] = [];
  for (const item of items) {
    if (signal?.aborted === true) break;
    if (await remove(item)) removed.push(item);
  }
  return removed;
}

/** The others that this home works for. A server that it never worked for knows nothing of what is needed here. */
async function otherServers(root: string, { server, dryRun }: PruneRequest): Promise<Served[]> {
  const all = await readServed(root);
  const isKnown = server.local || all.some(({ id }) => id === server.id);
  if (!isKnown) {
    const names = all.map(({ address, namespace }) => `${address || 'a server'} (namespace ${namespace || '?'})`);
    throw new HeddleError({
      code: 'HOME_OF_ANOTHER_SERVER',
      message: `This home has run no task of the server at ${server.address}, namespace ${server.namespace}${names.length === 0 ? '' : `, but of ${names.join(', ')}`}`,
      where: root,
      hint: 'Set TEMPORAL_ADDRESS and the namespace to the server of the tasks that ran here, unset them for the local service, or set HEDDLE_HOME.',
    });
  }
  // The local service has one database: an earlier one is gone, and its tasks with it.
  const earlier = server.local ? all.filter(({ id, local }) => local && id !== server.id) : [];
  if (!dryRun) {
    for (const one of earlier) {
      forgetLeases(leasesFile(root), one);
      await forgetServed(root, one);
    }
  }
  return all.filter((one) => one.id !== server.id && !earlier.includes(one));
}
