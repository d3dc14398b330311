import { createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess, isAlive } from '../activities/process-identity.ts';
import { runningPaths } from '../activities/execute/running-paths.ts';
import { stampDeliverables } from '../activities/execute/stamp-deliverables.ts';
import { defaultProject } from '../activities/prepare-task.ts';
import { FileStore } from '../activities/store/file-store.ts';
import type { Endpoint, Ports, UpInfo } from '../client/cli/ports.ts';
import { HeddleClient } from '../client/heddle-client.ts';
import { limits } from '../domain/limits.ts';
import { claimHome } from './claim-home.ts';
import { runChecks } from './doctor.ts';
import { createLogger, installRuntime } from './logger.ts';
import { replayHistories } from './replay-histories.ts';
import { runService } from './run-service.ts';
import { heddleHome, type HeddleHome } from './server/home.ts';
import { readServiceInfo, type ServiceInfo, touchLastUsed } from './service-info.ts';
import { readSettings, type Settings } from './settings.ts';
import { ensureService } from './start-service.ts';
import { checkAddressIsFree } from './metrics.ts';
import { runWorker } from './run-worker.ts';

/** Server and worker of the local service are one machine: a lost workflow task need not wait 10 s. */
const localWorkflowTaskTimeout = 3_000;
/** A drain waits for running attempts and hands over the rest; then the server stops. */
const downDeadline = (settings: Settings): number => settings.grace + limits.handOver + 2 * limits.server.stopGrace;

type Environment = Readonly<Record<string, string | undefined>>;

/** The real processes, servers and files behind the command line. */
export function createPorts(env: Environment): Ports {
  const home = (): HeddleHome => heddleHome(env);
  const store = (): FileStore => new FileStore(home().store);
  return {
    env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    connect: ({ progress } = {}) => connect(env, progress ?? (() => undefined)),
    connectIfRunning: () => connectIfRunning(env),
    up: (options) => up(env, options),
    upInBackground: async ({ progress, metrics }) =>
      toUpInfo(await ensureService(home(), withFlags(env, { metrics }), progress)),
    down: () => down(home(), readSettings(env)),
    worker: (options) => runWorker(withFlags(env, options), options),
    replay: (histories, options) => replayHistories(histories, { cacheFolder: home().cache, ...options }),
    doctor: () => runChecks(env),
    liveLog: (attempt) => runningPaths(dirname(home().store), attempt).log,
    projectOf: async (folder) => defaultProject(await realpath(folder)),
    stampFiles: stampDeliverables,
    async readOutput(sha256) {
      const path = store().path({ sha256, bytes: 0 });
      const stream = createReadStream(path);
      return new Promise((resolve) => {
        stream.once('open', () => resolve(stream));
        stream.once('error', () => resolve(undefined));
      });
    },
    async readArchive(sha256) {
      const files = store();
      const bytes = await files.get({ sha256, bytes: 0 }).catch(() => undefined);
      return bytes === undefined ? undefined : (JSON.parse(bytes.toString('utf8')) as unknown[]);
    },
  };
}

async function connect(env: Environment, progress: (text: string) => void): Promise<Endpoint> {
  const settings = readSettings(env);
  if (settings.server !== undefined) return connectGiven(env, settings, settings.server);
  return connectLocal(await ensureService(heddleHome(env), env, progress));
}

async function connectIfRunning(env: Environment): Promise<Endpoint | undefined> {
  const settings = readSettings(env);
  if (settings.server !== undefined) return connectGiven(env, settings, settings.server);
  const info = readServiceInfo(heddleHome(env));
  return info === undefined ? undefined : connectLocal(info);
}

async function connectGiven(
  env: Environment,
  settings: Settings,
  server: NonNullable<Settings['server']>,
): Promise<Endpoint> {
  const { connection, namespace } = server;
  return {
    client: await HeddleClient.connect({ ...connection, namespace }, { taskQueue: settings.taskQueue }),
    address: connection.address,
    namespace,
    webUi: env['TEMPORAL_UI_URL'] ?? null,
    local: false,
  };
}

async function connectLocal(info: ServiceInfo): Promise<Endpoint> {
  const { temporalAddress: address, namespace, webUi, taskQueue } = info;
  const client = await HeddleClient.connect(
    { address, namespace },
    { taskQueue, workflowTaskTimeout: localWorkflowTaskTimeout },
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

async function up(given: Environment, options: Parameters<Ports['up']>[0]): Promise<void> {
  const env = withFlags(given, options);
  const settings = readSettings(env);
  const { server } = settings;
  if (server !== undefined) {
    const onReady = ({ address }: { address: string }): void =>
      options.onReady({ temporalAddress: address, webUi: env['TEMPORAL_UI_URL'] ?? null, pid: process.pid });
    return runWorker(env, { onReady, signal: options.signal });
  }
  const home = heddleHome(env);
  touchLastUsed(home);
  const claim = await claimHome(home);
  if ('service' in claim) return stayWith(claim.service, options);
  const logger = createLogger({ file: join(home.logs, 'service.log') });
  if (settings.metrics !== undefined) await checkAddressIsFree(settings.metrics);
  installRuntime(logger, settings.metrics);
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
