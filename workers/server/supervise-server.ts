import { Connection } from '@temporalio/client';
import { serverDatabase, serverLog } from '../../activities/home-layout.ts';
import type { HeddleError } from '../../domain/heddle-error.ts';
import { workerLimits } from '../limits.ts';
import { type DevServer, startDevServer } from './dev-server.ts';
import { endOrphanServers } from './end-orphan-servers.ts';
import { loopback } from './free-port.ts';
import type { Environment, HeddleHome } from '../home/home.ts';
import { keepServerRunning, type RestartPolicy } from './keep-server-running.ts';
import { registerSearchAttributes, setRetention } from './register-search-attributes.ts';
import { resolveTemporal } from './resolve-temporal.ts';
import { readServerRecord, writeServerRecord } from './server-record.ts';
import { defaultNamespace } from './wait-until-ready.ts';

export interface SuperviseOptions {
  home: HeddleHome;
  env: Environment;
  onProgress?: (text: string) => void;
  log?: (text: string) => void;
  dynamicConfig?: Readonly<Record<string, string>>;
  restart?: RestartPolicy;
}

export interface SupervisedServer {
  address: string;
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
 * server on the same ports as before, prepares its namespace, and starts it again when it dies.
 */
export async function superviseServer(options: SuperviseOptions): Promise<SupervisedServer> {
  const log = options.log ?? (() => undefined);
  const dbFile = serverDatabase(options.home.data);
  const before = readServerRecord(options.home);
  for (const orphan of await endOrphanServers(dbFile, before?.server)) {
    log(`Ended the Temporal server (process ${orphan.pid}) that a killed service had left`);
  }
  const stopping = new AbortController();
  const start = async (ports: { port?: number; uiPort?: number }, keepPorts: boolean): Promise<DevServer> => {
    const { path } = await resolveTemporal(options);
    const server = await startDevServer({
      temporalPath: path,
      dbFile,
      logFile: serverLog(options.home.logs),
      ...ports,
      keepPorts,
      signal: stopping.signal,
      onSpawn: ({ identity, port, uiPort }) => writeServerRecord(options.home, { port, uiPort, server: identity }),
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
    webUi: `http://${loopback}:${first.uiPort}`,
    namespace: defaultNamespace,
    serverPid: () => current.pid,
    gaveUp: new Promise((resolve) => void watching.then((failure) => failure !== undefined && resolve(failure))),
    async stop() {
      stopping.abort();
      await watching;
      await current.stop();
      writeServerRecord(options.home, ports);
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
