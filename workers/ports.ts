import { NativeConnection } from '@temporalio/worker';
import { createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess, isAlive } from '../activities/process-identity.ts';
import { runningPaths } from '../activities/execute/running-paths.ts';
import { stampDeliverables } from '../activities/execute/stamp-deliverables.ts';
import { defaultProject } from '../activities/prepare-task.ts';
import { FileStore } from '../activities/store/file-store.ts';
import { diffTask } from '../activities/workspace/diff-task.ts';
import { undoTask } from '../activities/workspace/undo-task.ts';
import type { Endpoint, Ports, UpInfo } from '../client/cli/ports.ts';
import { unreachable } from '../client/explain-error.ts';
import { HeddleClient } from '../client/heddle-client.ts';
import { claimHome } from './claim-home.ts';
import { createWorkers } from './create-workers.ts';
import { runChecks } from './doctor.ts';
import { createLogger, installRuntime } from './logger.ts';
import { runService } from './run-service.ts';
import { heddleHome, type HeddleHome } from './server/home.ts';
import { readServiceInfo, type ServiceInfo, touchLastUsed } from './service-info.ts';
import { readSettings, type Settings } from './settings.ts';
import { ensureService } from './start-service.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** Server and worker of the local service are one machine: a lost workflow task need not wait 10 s. */
const localWorkflowTaskTimeout = 3_000;
/** A drain waits for running attempts; the service gives up on them before this. */
const downDeadline = 60_000;

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
    upInBackground: async ({ progress }) => toUpInfo(await ensureService(home(), env, progress)),
    down: () => down(home()),
    worker: (options) => worker(env, options),
    doctor: () => runChecks(env),
    liveLog: (attempt) => runningPaths(dirname(home().store), attempt).log,
    projectOf: async (folder) => defaultProject(await realpath(folder)),
    stampFiles: stampDeliverables,
    diffTask: (subject, options) => diffTask({ root: dirname(home().store), env }, subject, options),
    undoTask: (subject, options) => undoTask({ root: dirname(home().store), env }, subject, options),
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

async function up(env: Environment, options: Parameters<Ports['up']>[0]): Promise<void> {
  const settings = readSettings(env);
  const { server } = settings;
  if (server !== undefined) {
    const onReady = ({ address }: { address: string }): void =>
      options.onReady({ temporalAddress: address, webUi: env['TEMPORAL_UI_URL'] ?? null, pid: process.pid });
    return worker(env, { onReady, signal: options.signal });
  }
  const home = heddleHome(env);
  touchLastUsed(home);
  const claim = await claimHome(home);
  if ('service' in claim) return stayWith(claim.service, options);
  const logger = createLogger({ file: join(home.logs, 'service.log') });
  installRuntime(logger);
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

async function down(home: HeddleHome): Promise<boolean> {
  const info = readServiceInfo(home);
  if (info === undefined) return false;
  await endProcess(info, downDeadline);
  return true;
}

const serverOf = (info: ServiceInfo): NonNullable<Settings['server']> => ({
  connection: { address: info.temporalAddress },
  namespace: info.namespace,
});

async function worker(env: Environment, options: Parameters<Ports['worker']>[0]): Promise<void> {
  const settings = readSettings(env);
  const home = heddleHome(env);
  const given = settings.server ?? serverOf(await ensureService(home, env, () => undefined));
  installRuntime(createLogger({ stderr: true }));
  const connection = await NativeConnection.connect(given.connection).catch((error: unknown) => {
    throw unreachable(`${given.connection.address} (${error instanceof Error ? error.message : String(error)})`);
  });
  try {
    const workers = await createWorkers({
      connection,
      namespace: given.namespace,
      taskQueue: settings.taskQueue,
      host: settings.host,
      storeFolder: home.store,
      env,
      workflowBundle: await workflowBundle(home.cache),
    });
    options.signal.addEventListener('abort', () => workers.shutdown(), { once: true });
    const running = workers.run();
    if (options.signal.aborted) workers.shutdown();
    options.onReady({ address: given.connection.address, taskQueue: settings.taskQueue, host: settings.host });
    await running;
  } finally {
    await connection.close();
  }
}
