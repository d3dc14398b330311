import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { closeInherited } from '../../activities/programs/close-inherited.ts';
import type { Ports } from '../../client/ports/ports.ts';
import { unreachable } from '../../client/temporal/explain-error.ts';
import { createWorkers } from '../worker/create-workers.ts';
import { createLogger, installRuntime } from '../telemetry/logger.ts';
import { gaugeTasks } from '../telemetry/metrics.ts';
import { checkAddressIsFree } from '../settings/metrics-address.ts';
import { RetryLog } from '../telemetry/retry-log.ts';
import { noteServed } from '../home/served-servers.ts';
import { rootOfStore } from '../../activities/home/home-layout.ts';
import { readServerId } from '../../client/sdk/open-references.ts';
import { heddleHome, type HeddleHome, stampHome } from '../home/home.ts';
import { keepTidy } from '../prune/keep-tidy.ts';
import { loadSettings, serviceEnvironment, type Settings } from '../settings/settings.ts';
import { ensureService } from './start-service.ts';
import { prepareCodec } from '../worker/prepare-codec.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A worker alone, on the server that is given, else on that of the local service. Resolves after the drain. */
export async function runWorker(env: Environment, cwd: string, options: Parameters<Ports['worker']>[0]): Promise<void> {
  const settings = await loadSettings(env, cwd);
  closeInherited();
  const home = heddleHome(env);
  const codec = prepareCodec(settings.codecKeys);
  stampHome(home);
  if (settings.metrics !== undefined) await checkAddressIsFree(settings.metrics);
  const given: Server = settings.server ?? (await localServer(env, settings));
  const logger = createLogger({ stderr: true }, settings.logging);
  const runtime = installRuntime(logger, settings.metrics, new RetryLog(home.logs, logger));
  const connection = await NativeConnection.connect(given.connection).catch(async (error: unknown) => {
    // It ends by itself only where a connection was tried: an address that cannot be read would keep the process.
    await runtime.shutdown();
    throw unreachable(`${given.connection.address} (${error instanceof Error ? error.message : String(error)})`);
  });
  const ended = new AbortController();
  try {
    const { taskQueue, host } = settings;
    if (options.workflowsOnly !== true) await noteServer(home, connection, given.namespace);
    const workers = await createWorkers({
      serverAddress: given.connection.address,
      connection,
      namespace: given.namespace,
      taskQueue,
      host,
      storeFolder: home.store,
      env,
      workflowBundle: await codec.bundle(home.cache),
      dataConverter: codec.worker,
      deployment: settings.deployment,
      grace: settings.grace,
      workflowsOnly: options.workflowsOnly ?? false,
      besideLocalService: given.localQueue === taskQueue,
    });
    options.signal.addEventListener('abort', () => workers.shutdown(), { once: true });
    const running = workers.run();
    if (options.signal.aborted) workers.shutdown();
    options.onReady({ address: given.connection.address, taskQueue, host });
    const client = new Client({ connection, namespace: given.namespace, dataConverter: codec.client });
    const gauging =
      settings.metrics === undefined ? undefined : gaugeTasks({ client, taskQueue, logger, signal: ended.signal });
    const server = {
      address: given.connection.address,
      namespace: given.namespace,
      local: settings.server === undefined,
    };
    const tidying =
      options.workflowsOnly === true
        ? undefined
        : keepTidy({ home, env, client, server, logger, logs: settings.logging, signal: ended.signal });
    await running;
    ended.abort();
    await Promise.all([gauging, tidying]);
  } finally {
    ended.abort();
    await connection.close();
  }
}

/** By this note commands know that a worker of their home takes tasks of the server. An activity leaves it too: the worker starts without. */
async function noteServer({ store }: HeddleHome, connection: NativeConnection, namespace: string): Promise<void> {
  const id = await readServerId(connection, namespace).catch(() => undefined);
  if (id !== undefined) await noteServed(rootOfStore(store), { id, namespace });
}

type Server = NonNullable<Settings['server']> & { localQueue?: string };

async function localServer(env: Environment, settings: Settings): Promise<Server> {
  // The background service has its own address for metrics, or none.
  const { temporalAddress, namespace, taskQueue } = await ensureService(
    heddleHome(env),
    serviceEnvironment({ ...env, HEDDLE_METRICS: undefined }, settings),
    () => undefined,
  );
  return { connection: { address: temporalAddress }, namespace, localQueue: taskQueue };
}
