import { Connection } from '@temporalio/client';
import { serverDatabase, serverLog } from '../../activities/home/home-layout.ts';
import type { PayloadCodec } from '@temporalio/common';
import type { HeddleError } from '../../domain/errors/heddle-error.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { type DevServer, startDevServer } from './dev-server.ts';
import { endOrphanServers } from './end-orphan-servers.ts';
import { secludedAddress } from './loopback-address.ts';
import type { Environment, HeddleHome } from '../home/home.ts';
import { keepServerRunning, type RestartPolicy } from './keep-server-running.ts';
import { registerSearchAttributes, setRetention } from './register-search-attributes.ts';
import { resolveTemporal } from './fetch/resolve-temporal.ts';
import { codecPath } from './serve-codec.ts';
import { readServerRecord, type ServerRecord, writeServerRecord } from './server-record.ts';
import { defaultNamespace } from './wait-until-ready.ts';
import { startWebUiGuard, type WebUiGuard } from './web-ui-guard.ts';

export interface SuperviseOptions {
  home: HeddleHome;
  env: Environment;
  onProgress?: (text: string) => void;
  log?: (text: string) => void;
  dynamicConfig?: Readonly<Record<string, string>>;
  restart?: RestartPolicy;
  /** Opens payloads for the Web UI. */
  codec?: PayloadCodec | undefined;
}

export interface SupervisedServer {
  address: string;
  /** The guard's address: what people open. */
  webUi: string;
  namespace: string;
  /** Changes with every restart. */
  serverPid(): number;
  /** Resolves when the server died too often and is not started again. */
  gaveUp: Promise<HeddleError>;
  stop(): Promise<void>;
}

/**
 * Runs the Temporal server of a home, for the process that holds the home's lock: ends what a dead predecessor left, starts the
 * server at the same addresses as before with a guard before its Web UI, prepares its namespace, and starts it again when it dies.
 */
export async function superviseServer(options: SuperviseOptions): Promise<SupervisedServer> {
  const log = options.log ?? (() => undefined);
  const dbFile = serverDatabase(options.home.data);
  const before = readServerRecord(options.home);
  for (const orphan of await endOrphanServers(dbFile, before?.server)) {
    log(`Ended the Temporal server (process ${orphan.pid}) that a killed service had left`);
  }
  const guard = await openGuard(before, options.codec);
  try {
    return await superviseBehind(guard, { ...options, log, dbFile, before });
  } catch (error) {
    await guard.close();
    throw error;
  }
}

interface OpenGuard extends WebUiGuard {
  /** The address on which the Web UI itself is to listen. */
  uiHost: string;
  /** Tells it which port that became. */
  leadTo(port: number): void;
}

/** Opened before the server, so that the record of the server names both. */
async function openGuard(before: ServerRecord | undefined, codec: PayloadCodec | undefined): Promise<OpenGuard> {
  const host = await secludedAddress(before?.guardHost);
  // Links that are known elsewhere do not name this address.
  const uiHost = await secludedAddress(before?.uiHost, host);
  let uiPort: number | undefined;
  const webUi = () => (uiPort === undefined ? undefined : { host: uiHost, port: uiPort });
  const guard = await startWebUiGuard({ host, port: before?.guardPort, webUi, codec });
  return { ...guard, uiHost, leadTo: (port) => (uiPort = port) };
}

interface Supervision extends SuperviseOptions {
  log: (text: string) => void;
  dbFile: string;
  before: ServerRecord | undefined;
}

async function superviseBehind(guard: OpenGuard, options: Supervision): Promise<SupervisedServer> {
  const { log, before } = options;
  const stopping = new AbortController();
  const places = { uiHost: guard.uiHost, guardHost: guard.host, guardPort: guard.port };
  const start = async (ports: { port?: number; uiPort?: number }, keepPorts: boolean): Promise<DevServer> => {
    const { path } = await resolveTemporal(options);
    const server = await startDevServer({
      temporalPath: path,
      dbFile: options.dbFile,
      logFile: serverLog(options.home.logs),
      uiHost: guard.uiHost,
      ...(options.codec === undefined ? {} : { codecEndpoint: `${guard.url}${codecPath}` }),
      ...ports,
      keepPorts,
      signal: stopping.signal,
      onSpawn: ({ identity, port, uiPort }) => {
        writeServerRecord(options.home, { port, uiPort, ...places, server: identity });
        guard.leadTo(uiPort);
      },
      ...(options.dynamicConfig === undefined ? {} : { dynamicConfig: options.dynamicConfig }),
    });
    try {
      await prepareNamespace(server.address, log);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  };

  const first = await start(before === undefined ? {} : { port: before.port, uiPort: before.uiPort }, false);
  const ports = { port: first.port, uiPort: first.uiPort };
  let current = first;
  const watching = keepServerRunning({
    first,
    restart: () => start(ports, true),
    onStarted: (server) => (current = server),
    log,
    policy: options.restart ?? workerLimits.server.restart,
    stopping: stopping.signal,
  });
  return {
    address: first.address,
    webUi: guard.url,
    namespace: defaultNamespace,
    serverPid: () => current.pid,
    gaveUp: new Promise((resolve) => void watching.then((failure) => failure !== undefined && resolve(failure))),
    async stop() {
      stopping.abort();
      await guard.close();
      await watching;
      await current.stop();
      writeServerRecord(options.home, { ...ports, ...places });
    },
  };
}

/** On every start: a flag at the start is silently ignored on an existing file, and an upsert without a mapping blocks a workflow. */
async function prepareNamespace(address: string, log: (text: string) => void): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    const { wrongType } = await registerSearchAttributes(connection, defaultNamespace);
    for (const { name, is, should } of wrongType) {
      log(`Search attribute ${name} is of type ${is} and should be ${should}; it is not used`);
    }
    await setRetention(connection, defaultNamespace, workerLimits.server.retentionDays);
  } finally {
    await connection.close();
  }
}
