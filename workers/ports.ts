import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfigFiles } from '../activities/config/read-config.ts';
import { resolveTaskConfig } from '../activities/config/resolve-task-config.ts';
import { endProcess, isAlive } from '../activities/programs/process-identity.ts';
import { rootOfStore, runningPaths } from '../activities/home-layout.ts';
import { stampDeliverables } from '../activities/files/stamp-deliverables.ts';
import { defaultProject } from '../activities/prepare/prepare-task.ts';
import { FileStore } from '../activities/store/file-store.ts';
import { hashOpenFile } from '../activities/store/hash-file.ts';
import { systemCode } from '../activities/store/system-error.ts';
import { diffTask } from '../activities/workspace/undo/diff-task.ts';
import { undoTask } from '../activities/workspace/undo/undo-task.ts';
import type { Endpoint, UpInfo } from '../client/ports/service.ts';
import type { Ports } from '../client/ports/ports.ts';
import type { Ref } from '../domain/model/ref.ts';
import { HeddleError } from '../domain/heddle-error.ts';
import { HeddleClient } from '../client/heddle-client.ts';
import { workerLimits } from './limits.ts';
import { claimHome } from './service/claim-home.ts';
import { runChecks } from './doctor.ts';
import { createLogger, installRuntime } from './telemetry/logger.ts';
import { pruneHome } from './home/prune-home.ts';
import { replayHistories } from './worker/replay-histories.ts';
import { runService } from './service/run-service.ts';
import { heddleHome, type HeddleHome } from './home/home.ts';
import { readServiceInfo, type ServiceInfo, touchLastUsed } from './service/service-info.ts';
import { loadSettings, serviceEnvironment, type Settings } from './settings.ts';
import { ensureService } from './service/start-service.ts';
import { checkAddressIsFree } from './telemetry/metrics.ts';
import { RetryLog } from './telemetry/retry-log.ts';
import { runWorker } from './service/run-worker.ts';

/** Server and worker of the local service are one machine: a lost workflow task need not wait 10 s. */
const localWorkflowTaskTimeout = 3_000;
/** A drain waits for running attempts and hands over the rest; then the server stops. */
const downDeadline = (settings: Settings): number =>
  settings.grace + workerLimits.handOver + 2 * workerLimits.server.stopGrace;

type Environment = Readonly<Record<string, string | undefined>>;

/** The real processes, servers and files behind the command line, as seen from a folder. */
export function createPorts(env: Environment, cwd: string = process.cwd()): Ports {
  const home = (): HeddleHome => heddleHome(env);
  const store = (): FileStore => new FileStore(home().store);
  return {
    env,
    cwd,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    connect: ({ progress } = {}) => connect(env, cwd, progress ?? (() => undefined)),
    connectIfRunning: () => connectIfRunning(env, cwd),
    up: (options) => up(withFlags(env, options), cwd, options),
    upInBackground: async ({ progress, metrics }) => {
      const given = withFlags(env, { metrics });
      return toUpInfo(await startService(given, await loadSettings(given, cwd), progress));
    },
    down: async () => down(home(), await loadSettings(env, cwd)),
    worker: (options) => runWorker(withFlags(env, options), cwd, options),
    replay: (histories, options) => replayHistories(histories, { cacheFolder: home().cache, ...options }),
    doctor: () => runChecks(env, cwd),
    liveLog: (attempt) => runningPaths(rootOfStore(home().store), attempt).log,
    projectOf: (folder) => projectOf(env, folder),
    readConfig: (folder, host) => readConfig(env, cwd, folder, host),
    stampFiles: stampDeliverables,
    diffTask: (subject, options) => diffTask({ root: rootOfStore(home().store), env }, subject, options),
    undoTask: (subject, options) => undoTask({ root: rootOfStore(home().store), env }, subject, options),
    readOutput: (sha256) => readOutput(store(), sha256),
    prune: async (request) => pruneHome(home(), request, { env, logs: (await loadSettings(env, cwd)).logging }),
    readStored: (ref) => readStored(env, ref),
  };
}

/** Only what is not there is missing from here: what is damaged or cannot be read is said to be. */
async function readStored(env: Environment, ref: Ref): Promise<unknown> {
  const bytes = await new FileStore(heddleHome(env).store).get(ref).catch((error: unknown) => {
    if (error instanceof HeddleError && error.code === 'STORE_MISSING') return undefined;
    throw error;
  });
  return bytes === undefined ? undefined : (JSON.parse(bytes.toString('utf8')) as unknown);
}

/** Its size is not known here, so the whole is read once to see that it is what was stored. */
async function readOutput(store: FileStore, sha256: string): Promise<NodeJS.ReadableStream | undefined> {
  let file: FileHandle;
  try {
    file = await open(store.path({ sha256, bytes: 0 }));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    if ((await hashOpenFile(file)).sha256 !== sha256) throw damagedOutput(sha256);
    return file.createReadStream({ start: 0 });
  } catch (error) {
    await file.close();
    throw error;
  }
}

const damagedOutput = (sha256: string): HeddleError =>
  new HeddleError({
    code: 'STORE_DAMAGED',
    message: `the stored output ${sha256.slice(0, 12)} is not what was stored`,
    hint: 'Something changed the file, or the disk is failing.',
  });

async function projectOf(env: Environment, folder: string): Promise<string> {
  const workspace = await realpath(folder);
  const { project } = (await resolveTaskConfig({}, { env, workspace })).values;
  return project ?? defaultProject(workspace);
}

async function readConfig(
  env: Environment,
  cwd: string,
  folder: string,
  host: string | undefined,
): ReturnType<Ports['readConfig']> {
  if (host !== undefined && host !== (await loadSettings(env, cwd)).host) return undefined;
  const isHere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isHere ? readConfigFiles({ env, folder: await realpath(folder) }) : undefined;
}

const startService = (env: Environment, settings: Settings, progress: (text: string) => void): Promise<ServiceInfo> =>
  ensureService(heddleHome(env), serviceEnvironment(env, settings), progress);

async function connect(env: Environment, cwd: string, progress: (text: string) => void): Promise<Endpoint> {
  const settings = await loadSettings(env, cwd);
  if (settings.server !== undefined) return connectGiven(env, settings, settings.server);
  return connectLocal(env, await startService(env, settings, progress));
}

async function connectIfRunning(env: Environment, cwd: string): Promise<Endpoint | undefined> {
  const settings = await loadSettings(env, cwd);
  if (settings.server !== undefined) return connectGiven(env, settings, settings.server);
  const info = readServiceInfo(heddleHome(env));
  return info === undefined ? undefined : connectLocal(env, info);
}

async function connectGiven(
  env: Environment,
  settings: Settings,
  server: NonNullable<Settings['server']>,
): Promise<Endpoint> {
  const { connection, namespace } = server;
  return {
    client: await HeddleClient.connect(
      { ...connection, namespace },
      { taskQueue: settings.taskQueue, readStored: (ref) => readStored(env, ref) },
    ),
    address: connection.address,
    namespace,
    webUi: env['TEMPORAL_UI_URL'] ?? null,
    local: false,
  };
}

async function connectLocal(env: Environment, info: ServiceInfo): Promise<Endpoint> {
  const { temporalAddress: address, namespace, webUi, taskQueue } = info;
  const client = await HeddleClient.connect(
    { address, namespace },
    { taskQueue, workflowTaskTimeout: localWorkflowTaskTimeout, readStored: (ref) => readStored(env, ref) },
  );
  return { client, address, namespace, webUi, local: true };
}

const toUpInfo = ({ temporalAddress, webUi, pid }: ServiceInfo): UpInfo => ({ temporalAddress, webUi, pid });

/** A flag says the same as its variable, and wins. */
function withFlags(
  env: Environment,
  flags: { metrics?: string | undefined; buildId?: string | undefined },
): Environment {
  const { metrics = env['HEDDLE_METRICS'], buildId = env['HEDDLE_BUILD_ID'] } = flags;
  return { ...env, HEDDLE_METRICS: metrics, HEDDLE_BUILD_ID: buildId };
}

async function up(env: Environment, cwd: string, options: Parameters<Ports['up']>[0]): Promise<void> {
  const settings = await loadSettings(env, cwd);
  const { server } = settings;
  if (server !== undefined) {
    const onReady = ({ address }: { address: string }): void =>
      options.onReady({ temporalAddress: address, webUi: env['TEMPORAL_UI_URL'] ?? null, pid: process.pid });
    return runWorker(env, cwd, { onReady, signal: options.signal });
  }
  const home = heddleHome(env);
  touchLastUsed(home);
  const claim = await claimHome(home);
  if ('service' in claim) return stayWith(claim.service, options);
  const logger = createLogger({ folder: home.logs }, settings.logging);
  if (settings.metrics !== undefined) await checkAddressIsFree(settings.metrics);
  installRuntime(logger, settings.metrics, new RetryLog(home.logs, logger));
  await runService({
    home,
    env,
    settings,
    logger,
    lock: claim.lock,
    signal: options.signal,
    progress: options.progress,
    onReady: (info) => options.onReady(toUpInfo(info)),
    endsWhenIdle: false,
  });
}

/** One service a home: a second `up` shows the first one and stays as long as it does. */
async function stayWith(info: ServiceInfo, options: Parameters<Ports['up']>[0]): Promise<void> {
  options.onReady(toUpInfo(info));
  while (!options.signal.aborted && isAlive(info)) await sleep(200);
}

async function down(home: HeddleHome, settings: Settings): Promise<boolean> {
  const info = readServiceInfo(home);
  if (info === undefined) return false;
  await endProcess(info, downDeadline(settings));
  return true;
}
