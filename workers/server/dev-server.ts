import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessIdentity, readIdentity } from '../../activities/programs/process-identity.ts';
import { HeddleError, type Problem } from '../../domain/errors/heddle-error.ts';
import { workerLimits } from '../limits/worker-limits.ts';
import { devServerArguments } from './dev-server-arguments.ts';
import { freePort, isPortFree } from './free-port.ts';
import { loopback } from './loopback-address.ts';
import { unbrowsablePort } from './unbrowsable-port.ts';
import { makeFolder } from '../home/home.ts';
import { openServerLog, readServerLog } from './server-log.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export interface DevServerOptions {
  temporalPath: string;
  dbFile: string;
  logFile: string;
  /** Wished ports: used when they are free, others otherwise. */
  port?: number;
  uiPort?: number;
  /** The address on which the Web UI listens: 127.0.0.1 unless given. */
  uiHost?: string;
  /** The address at which the Web UI has payloads decoded and encoded. */
  codecEndpoint?: string;
  /** Rather fail than listen elsewhere: clients know this address already. */
  keepPorts?: boolean;
  /** Values besides Heddle's own, as JSON text; the HTTP API stays closed. */
  dynamicConfig?: Readonly<Record<string, string>>;
  /** No Web UI. */
  headless?: boolean;
  /** Called before the server is ready, so that it is on record whatever happens next. */
  onSpawn?: (server: SpawnedServer) => void;
  /** Ends a start that is under way. */
  signal?: AbortSignal;
}

interface Ports {
  port: number;
  uiHost: string;
  uiPort: number;
}

export interface SpawnedServer extends Ports {
  identity: ProcessIdentity;
}

export interface ServerExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface DevServer extends SpawnedServer {
  address: string;
  /** Undefined when headless. It answers whatever host is asked for, on a port that no browser opens: people are given the address of a guard. */
  webUi: string | undefined;
  pid: number;
  exited: Promise<ServerExit>;
  /** SIGTERM, a bounded wait, SIGKILL. */
  stop(): Promise<void>;
}

/** Starts a Temporal dev server on a file and waits until it answers. */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  makeFolder(dirname(options.dbFile));
  let ports = await choosePorts(options, options);
  for (let tries = 1; ; tries++) {
    try {
      return await startOnPorts(options, ports);
    } catch (error) {
      const clash = error instanceof PortTaken && options.keepPorts !== true && tries < workerLimits.server.startTries;
      if (!clash) throw error;
      ports = await choosePorts(options, {});
    }
  }
}

class PortTaken extends HeddleError {}

type PreferredPorts = Pick<DevServerOptions, 'port' | 'uiPort'>;

async function choosePorts(options: DevServerOptions, wished: PreferredPorts): Promise<Ports> {
  const { uiHost = loopback, keepPorts = false, headless = false } = options;
  const otherUiPort = headless ? freePort : unbrowsablePort;
  const canHave = async (port: number | undefined, host: string): Promise<number | undefined> =>
    port !== undefined && (keepPorts || (await isPortFree(port, host))) ? port : undefined;
  return {
    port: (await canHave(wished.port, loopback)) ?? (await freePort()),
    uiHost,
    uiPort: (await canHave(wished.uiPort, uiHost)) ?? (await otherUiPort(uiHost)),
  };
}

async function takenPort(options: DevServerOptions, ports: Ports): Promise<number | undefined> {
  if (!(await isPortFree(ports.port))) return ports.port;
  const isUiFree = options.headless === true || (await isPortFree(ports.uiPort, ports.uiHost));
  return isUiFree ? undefined : ports.uiPort;
}

async function startOnPorts(options: DevServerOptions, ports: Ports): Promise<DevServer> {
  const args = await devServerArguments({ ...options, ...ports, headless: options.headless === true });
  options.signal?.throwIfAborted();
  // Another program that listens there would be taken for our server as soon as it answers.
  const taken = await takenPort(options, ports);
  if (taken !== undefined) throw failedStart(options, 'taken', `port ${taken}: address already in use`);
  const log = openServerLog(options.logFile);
  const child = spawnServer(options.temporalPath, args, log.descriptor);
  const exited = new Promise<ServerExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  const stop = () => stopServer(child, exited);
  const identity = await identify(child, stop);
  if (identity !== undefined) options.onSpawn?.({ identity, ...ports });
  const outcome = await settle(options, ports, exited);
  if (outcome !== 'ready' || identity === undefined || child.exitCode !== null) {
    await stop();
    options.signal?.throwIfAborted();
    throw failedStart(options, outcome, readServerLog(options.logFile, log.start));
  }
  return {
    ...ports,
    identity,
    address: `${loopback}:${ports.port}`,
    webUi: options.headless === true ? undefined : `http://${ports.uiHost}:${ports.uiPort}`,
    pid: identity.pid,
    exited,
    stop,
  };
}

/** A server that nobody could find again is not left running. */
async function identify(child: ChildProcess, stop: () => Promise<void>): Promise<ProcessIdentity | undefined> {
  try {
    return child.pid === undefined ? undefined : readIdentity(child.pid);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Detached: Ctrl-C of a terminal must not reach the server before the worker has drained. */
function spawnServer(path: string, args: string[], log: number): ChildProcess {
  // The server needs none of the user's variables, and some of them would reconfigure it.
  const given = Object.fromEntries(['PATH', 'HOME', 'TMPDIR', 'LANG'].map((name) => [name, process.env[name]]));
  // It asks for the name of its user: one of a container may have only a number.
  const env = { ...given, USER: 'heddle' };
  try {
    return spawn(path, args, { detached: true, stdio: ['ignore', log, log], env });
  } finally {
    closeSync(log);
  }
}

type Outcome = 'ready' | 'taken' | 'late' | 'aborted' | ServerExit;

async function settle(options: DevServerOptions, ports: Ports, exited: Promise<ServerExit>): Promise<Outcome> {
  const over = new AbortController();
  const timeout = AbortSignal.timeout(workerLimits.server.ready);
  const signals = [over.signal, timeout, ...(options.signal === undefined ? [] : [options.signal])];
  const ui = options.headless === true ? undefined : { host: ports.uiHost, port: ports.uiPort };
  const ready = waitUntilReady(ports.port, ui, AbortSignal.any(signals)).then(
    (): Outcome => 'ready',
    (): Outcome => (timeout.aborted ? 'late' : 'aborted'),
  );
  try {
    return await Promise.race([ready, exited]);
  } finally {
    over.abort();
    await ready;
  }
}

function failedStart(options: DevServerOptions, outcome: Outcome, output: string): HeddleError {
  const problem: Problem = {
    code: 'TEMPORAL_SERVER_FAILED',
    message: `The Temporal server did not start: ${explain(outcome, output)}`,
    where: options.logFile,
    hint: 'Read the log; `heddle doctor` checks the rest.',
  };
  return output.includes('address already in use') ? new PortTaken(problem) : new HeddleError(problem);
}

function explain(outcome: Outcome, output: string): string {
  if (outcome === 'late') return `no answer within ${workerLimits.server.ready / 1000} s`;
  return output.split('\n').at(-1)?.slice(0, 500) || 'it exited without a message';
}

async function stopServer(child: ChildProcess, exited: Promise<ServerExit>): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    child.kill(signal);
    const over = new AbortController();
    const waited = sleep(workerLimits.server.stopGrace, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([exited, waited]);
    over.abort();
  }
}
