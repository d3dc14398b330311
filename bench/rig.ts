import { Client, Connection } from '@temporalio/client';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from '../activities/store/file-store.ts';
import { HeddleClient } from '../client/index.ts';
import { clientLimits } from '../client/limits/client-limits.ts';
import type { Ref } from '../domain/types/basic/ref.ts';
import { type DevServer, startDevServer } from '../workers/server/dev-server.ts';
import { heddleHome } from '../workers/home/home.ts';
import { resolveTemporal } from '../workers/server/fetch/resolve-temporal.ts';
import { bundleWorkflows } from '../workers/worker/workflow-bundle.ts';
import { host, taskQueue } from './names.ts';
import type { Place } from './plans.ts';

/** As `heddle run` asks for on a local service: server and worker are one machine. */
const workflowTaskTimeout = 3_000;
/** A worker that has drained for this long is killed. */
const drainTime = 10_000;

interface RigOptions {
  /** Settings of the server beside Heddle's own. */
  dynamicConfig?: Readonly<Record<string, string>>;
}

/** One real server on a file, one worker process, one client. */
export class Rig {
  readonly place: Place;
  readonly client: HeddleClient;
  readonly temporal: Client;
  readonly #folder: string;
  readonly #temporalPath: string;
  #server: DevServer;
  #worker: ChildProcess | undefined;
  #stopped: Promise<void> | undefined;

  private constructor(parts: { folder: string; temporalPath: string; server: DevServer; temporal: Client }) {
    this.#folder = parts.folder;
    this.#temporalPath = parts.temporalPath;
    this.#server = parts.server;
    this.temporal = parts.temporal;
    const store = new FileStore(join(parts.folder, 'store'));
    const readStored = async (ref: Ref): Promise<unknown> => JSON.parse((await store.get(ref)).toString());
    this.client = new HeddleClient(parts.temporal, { taskQueue, workflowTaskTimeout, readStored });
    const workspace = join(parts.folder, 'workspace');
    mkdirSync(workspace);
    this.place = {
      workspace,
      host,
      hostQueue: taskQueue,
      storeFolder: join(parts.folder, 'store'),
    };
  }

  /** For as long as it is needed, also by somebody who presses Ctrl-C. */
  static async with<T>(use: (rig: Rig) => Promise<T>, options?: RigOptions): Promise<T> {
    const starting = Rig.start(options);
    const interrupt = (): void => void starting.then((rig) => rig.stop()).finally(() => process.exit(130));
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
    const rig = await starting;
    try {
      const result = await use(rig);
      await rig.close();
      return result;
    } finally {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      await rig.stop();
    }
  }

  static async start({ dynamicConfig }: RigOptions = {}): Promise<Rig> {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
    let server: DevServer | undefined;
    try {
      const { path } = await resolveTemporal({ env: process.env, home: heddleHome(process.env) });
      const { code } = await bundleWorkflows(join(import.meta.dirname, 'workflows.ts'));
      writeFileSync(join(folder, 'workflows.js'), code);
      server = await startServer(path, folder, { dynamicConfig });
      // A page of a long history is larger than gRPC takes by default.
      const channelArgs = { 'grpc.max_receive_message_length': clientLimits.messageBytes };
      const connection = await Connection.connect({ address: server.address, channelArgs });
      const rig = new Rig({ folder, temporalPath: path, server, temporal: new Client({ connection }) });
      await rig.startWorker();
      return rig;
    } catch (error) {
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The address of the server. */
  get address(): string {
    return this.#server.address;
  }

  get pids(): { server: number; worker: number | undefined } {
    return { server: this.#server.pid, worker: this.#worker?.pid };
  }

  /** CPU of the server. */
  async version(): Promise<string> {
    const { serverVersion } = await this.temporal.workflowService.getSystemInfo({});
    return serverVersion;
  }

  /** Resolves when the process is there and polls. */
  async startWorker(): Promise<void> {
    const { address } = this.#server;
    const files = [this.place.storeFolder, join(this.#folder, 'workflows.js')];
    const worker = fork(join(import.meta.dirname, 'worker-process.ts'), [address, ...files]);
    this.#worker = worker;
    const ended = once(worker, 'exit').then(([code]) => {
      throw new Error(`the worker ended before it was ready (${String(code)})`);
    });
    await Promise.race([once(worker, 'message'), ended]);
    ended.catch(() => undefined);
  }

  async killWorker(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = once(worker, 'exit');
    worker.kill('SIGKILL');
    await ended;
    this.#worker = undefined;
  }

  async killServer(): Promise<void> {
    process.kill(this.#server.pid, 'SIGKILL');
    await this.#server.exited;
  }

  /** On the same file and port, as the service does it. */
  async restartServer(): Promise<void> {
    this.#server = await startServer(this.#temporalPath, this.#folder, { port: this.#server.port });
  }

  /** For a bench that came to its end: a call that is under way would break in a timer of its own. */
  async close(): Promise<void> {
    await this.stop();
    await this.temporal.connection.close();
  }

  /** Runs once: an interrupt comes together with the failure that it causes. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    if (worker?.exitCode === null && worker.signalCode === null) {
      const ended = once(worker, 'exit');
      const late = setTimeout(() => worker.kill('SIGKILL'), drainTime);
      worker.disconnect();
      await ended;
      clearTimeout(late);
    }
    await this.#server.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function startServer(
  temporalPath: string,
  folder: string,
  { port, dynamicConfig }: { port?: number; dynamicConfig?: RigOptions['dynamicConfig'] | undefined },
): Promise<DevServer> {
  return startDevServer({
    temporalPath,
    dbFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    headless: true,
    ...(port === undefined ? {} : { port, keepPorts: true }),
    ...(dynamicConfig === undefined ? {} : { dynamicConfig }),
  });
}
