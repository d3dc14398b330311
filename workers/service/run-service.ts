import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { readIdentity } from '../../activities/programs/process-identity.ts';
import { closeInherited } from '../../activities/programs/close-inherited.ts';
import { openTasksQuery } from '../../domain/names/names.ts';
import { createWorkers, type Workers } from '../worker/create-workers.ts';
import { gaugeTasks } from '../telemetry/metrics.ts';
import { stampHome, type HeddleHome } from '../home/home.ts';
import { keepTidy } from '../prune/keep-tidy.ts';
import type { HomeLock } from '../home/home-lock.ts';
import { superviseServer } from '../server/supervise-server.ts';
import { ownVersion } from './own-version.ts';
import type { RunningApi } from '../serve/start-api.ts';
import { readLastUsed, removeServiceInfo, type ServiceInfo, writeServiceInfo } from './service-info.ts';
import type { Settings } from '../settings/settings.ts';
import { prepareCodec } from '../worker/prepare-codec.ts';

export interface ServiceOptions {
  home: HeddleHome;
  env: Readonly<Record<string, string | undefined>>;
  settings: Settings;
  logger: Logger;
  /** The home's lock, held by this process. */
  lock: HomeLock;
  signal: AbortSignal;
  progress: (text: string) => void;
  onReady: (info: ServiceInfo) => void;
  /** Serves the API and the console beside the worker. */
  startApi?: (service: Promise<ServiceInfo>) => Promise<RunningApi | undefined>;
  /** Ends by itself when nobody needs it. */
  endsWhenIdle: boolean;
}

/** The local service: Temporal server, worker, and the record by which commands find it. Resolves after the drain. */
export async function runService(options: ServiceOptions): Promise<void> {
  const { home, env, settings, logger } = options;
  closeInherited();
  // Before the sources of a clone change under it.
  const version = ownVersion();
  stampHome(home);
  removeServiceInfo(home);
  const codec = prepareCodec(settings.codecKeys);
  const service = Promise.withResolvers<ServiceInfo>();
  // It listens while the server starts, which takes longer.
  const api = options.startApi?.(service.promise);
  const starting = Promise.all([
    superviseServer({
      home,
      env,
      onProgress: options.progress,
      log: (text) => logger.info(text),
      codec: codec.worker?.payloadCodecs?.[0],
    }),
    codec.bundle(home.cache),
  ]);
  await Promise.allSettled([starting, api]);
  const [server, bundle] = await starting.catch(async (error: unknown) => {
    await closeApi(api);
    throw error;
  });
  try {
    await api;
    const connection = await NativeConnection.connect({ address: server.address });
    try {
      const workers = await createWorkers({
        serverAddress: server.address,
        connection,
        namespace: server.namespace,
        taskQueue: settings.taskQueue,
        host: settings.host,
        storeFolder: home.store,
        localHome: home.data,
        env,
        workflowBundle: bundle,
        dataConverter: codec.worker,
        deployment: settings.deployment,
        grace: settings.grace,
      });
      const info = { ...buildInfo(server, options), ...version };
      service.resolve(info);
      await serve(options, workers, info, { gaveUp: server.gaveUp, api });
    } finally {
      await connection.close();
    }
  } finally {
    removeServiceInfo(home);
    await closeApi(api);
    await server.stop();
    options.lock.release();
  }
}

/** An API that did not start needs no closing. */
async function closeApi(api: Promise<RunningApi | undefined> | undefined): Promise<void> {
  const running = await api?.catch(() => undefined);
  await running?.close();
}

function buildInfo(
  { address: temporalAddress, namespace, webUi }: { address: string; namespace: string; webUi: string },
  { settings: { taskQueue, codecKeys }, endsWhenIdle: background }: ServiceOptions,
): ServiceInfo {
  const identity = readIdentity(process.pid);
  if (identity === undefined) throw new Error('this process cannot be identified');
  return { temporalAddress, namespace, webUi, taskQueue, background, encrypts: codecKeys !== undefined, ...identity };
}

async function serve(
  options: ServiceOptions,
  workers: Workers,
  info: ServiceInfo,
  { gaveUp, api }: { gaveUp: Promise<Error>; api: Promise<RunningApi | undefined> | undefined },
): Promise<void> {
  const ended = new AbortController();
  const running = workers.run().finally(() => ended.abort());
  writeServiceInfo(options.home, info);
  options.onReady(info);
  options.logger.info({ address: info.temporalAddress, taskQueue: info.taskQueue }, 'ready');
  const reasons: Promise<string | Error>[] = [
    aborted(options.signal),
    gaveUp,
    running.then(() => 'the worker has ended'),
  ];
  if (options.endsWhenIdle) reasons.push(idle(options, info, ended.signal));
  if (options.settings.metrics !== undefined) void gauge(options, info, ended.signal);
  const tidying = tidy(options, info, ended.signal);
  const reason = await Promise.race(reasons);
  options.logger.info({ reason: String(reason) }, 'draining');
  removeServiceInfo(options.home);
  await closeApi(api);
  workers.shutdown();
  await running;
  await tidying;
  if (reason instanceof Error) throw reason;
}

async function tidy(
  { home, env, settings, logger }: ServiceOptions,
  info: ServiceInfo,
  signal: AbortSignal,
): Promise<void> {
  const { temporalAddress: address, namespace } = info;
  try {
    const connection = await Connection.connect({ address });
    const client = new Client({ connection, namespace, dataConverter: prepareCodec(settings.codecKeys).client });
    await keepTidy({
      home,
      env,
      client,
      server: { address, namespace, local: true },
      logger,
      logs: settings.logging,
      signal,
    });
    await connection.close();
  } catch (error) {
    logger.warn({ err: error }, 'the home is not pruned');
  }
}

async function gauge({ logger }: ServiceOptions, info: ServiceInfo, signal: AbortSignal): Promise<void> {
  const connection = await Connection.connect({ address: info.temporalAddress });
  const client = new Client({ connection, namespace: info.namespace });
  await gaugeTasks({ client, taskQueue: info.taskQueue, logger, signal });
  await connection.close();
}

function aborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('asked to stop');
    else signal.addEventListener('abort', () => resolve('asked to stop'), { once: true });
  });
}

/** Resolves when no task is open and nobody has asked anything for the idle time. */
async function idle(options: ServiceOptions, info: ServiceInfo, stopped: AbortSignal): Promise<string> {
  const { home, settings, logger } = options;
  const started = Date.now();
  const connection = await Connection.connect({ address: info.temporalAddress });
  const client = new Client({ connection, namespace: info.namespace });
  const unused = (): boolean => Date.now() - Math.max(started, readLastUsed(home)) >= settings.idle;
  try {
    while (!stopped.aborted) {
      await sleep(Math.min(5_000, Math.max(200, settings.idle / 4)));
      if (!unused() || (await openTasks(client, logger)) > 0) continue;
      // From here on commands start a new service; a command that came in between keeps this one.
      removeServiceInfo(home);
      if (unused()) return 'idle';
      writeServiceInfo(home, info);
    }
    return 'stopped';
  } finally {
    await connection.close();
  }
}

/** When the server does not answer there may be open tasks: then nothing ends. */
async function openTasks(client: Client, logger: Logger): Promise<number> {
  try {
    return (await client.workflow.count(openTasksQuery)).count;
  } catch (error) {
    logger.warn({ err: error }, 'cannot count the open tasks');
    return 1;
  }
}
