import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, vi } from 'vitest';
import { FileStore } from '../../../activities/store/file-store.ts';
import { HeddleClient } from '../../../client/index.ts';
import { clientLimits } from '../../../client/limits/client-limits.ts';
import type { Ref } from '../../../domain/types/basic/ref.ts';
import { searchAttributeNames } from '../../../domain/names/search-attributes.ts';
import { startDevServer, type DevServer } from '../../../workers/server/dev-server.ts';
import { readSearchAttributes } from '../../../workers/server/register-search-attributes.ts';
import { createWorkers, type Workers } from '../../../workers/worker/create-workers.ts';
import { EndedTasks } from './ended-tasks.ts';
import '../quiet-runtime.ts';

export interface PlaceOptions {
  /** A server of the file's own, instead of the one that all tests share. */
  server?: {
    dynamicConfig?: Record<string, string>;
    /** Whether it knows our search attributes; true by default. */
    searchAttributes?: boolean;
  };
  env?: Record<string, string>;
  /** Milliseconds that what runs has when the worker stops; as long as that of a user's worker by default. */
  grace?: number;
  /** Address at which the worker looks for its server, by default the true one. */
  serverAddress?: string;
}

type WorkerSettings = Pick<PlaceOptions, 'grace' | 'serverAddress'>;

export const hostOfPlace = 'rig';

/** A home with a worker of this tree on a queue of its own, and clients of its server. */
export class Place {
  readonly folder: string;
  readonly storeFolder: string;
  readonly address: string;
  readonly temporal: Client;
  readonly client: HeddleClient;
  readonly #taskQueue: string;
  readonly #env: Record<string, string>;
  readonly #settings: WorkerSettings;
  readonly #native: NativeConnection;
  readonly #server: DevServer | undefined;
  readonly #ended = new EndedTasks();
  #workers: Workers | undefined;
  #running: Promise<void> | undefined;

  private constructor(parts: {
    folder: string;
    taskQueue: string;
    env: Record<string, string>;
    settings: WorkerSettings;
    native: NativeConnection;
    connection: Connection;
    server: DevServer | undefined;
    address: string;
  }) {
    this.folder = parts.folder;
    this.storeFolder = join(parts.folder, 'store');
    this.address = parts.address;
    this.#taskQueue = parts.taskQueue;
    this.#env = parts.env;
    this.#settings = parts.settings;
    this.#native = parts.native;
    this.#server = parts.server;
    this.temporal = new Client({ connection: parts.connection, interceptors: { workflow: [this.#ended] } });
    const readStored = async (ref: Ref): Promise<unknown> =>
      JSON.parse((await new FileStore(this.storeFolder).get(ref)).toString('utf8'));
    this.client = new HeddleClient(this.temporal, {
      taskQueue: parts.taskQueue,
      workflowTaskTimeout: 3_000,
      readStored,
    });
  }

  /** `parent`: where its folder is made. */
  static async open(taskQueue: string, options: PlaceOptions = {}, parent = tmpdir()): Promise<Place> {
    const folder = mkdtempSync(join(parent, 'heddle-rig-'));
    const server = options.server && (await startServer(folder, options.server));
    const address = server?.address ?? inject('temporalAddress');
    const native = await NativeConnection.connect({ address });
    // A page of a history with long prompts is larger than gRPC takes by default.
    const channelArgs = { 'grpc.max_receive_message_length': clientLimits.messageBytes };
    const connection = await Connection.connect({ address, channelArgs });
    const { env = {}, grace, serverAddress } = options;
    const settings = {
      ...(grace === undefined ? {} : { grace }),
      ...(serverAddress === undefined ? {} : { serverAddress }),
    };
    return new Place({ folder, taskQueue, env, settings, native, connection, server, address });
  }

  /** Does nothing when it runs. */
  async startWorker(): Promise<void> {
    if (this.#workers !== undefined) return;
    this.#workers = await createWorkers({
      connection: this.#native,
      serverAddress: this.address,
      namespace: 'default',
      taskQueue: this.#taskQueue,
      host: hostOfPlace,
      storeFolder: this.storeFolder,
      env: { ...process.env, HEDDLE_CONFIG: undefined, XDG_CONFIG_HOME: join(this.folder, 'config'), ...this.#env },
      workflowBundle: { codePath: inject('bundlePath') },
      ...this.#settings,
    });
    this.#running = this.#workers.run();
  }

  async stopWorker(): Promise<void> {
    this.#ended.forget();
    this.#workers?.shutdown();
    await this.#running;
    this.#workers = undefined;
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.temporal.connection.close();
    await this.#native.close();
    await this.#server?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function startServer(folder: string, options: NonNullable<PlaceOptions['server']>): Promise<DevServer> {
  const server = await startDevServer({
    temporalPath: inject('temporalPath'),
    dbFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    headless: true,
    ...(options.dynamicConfig === undefined ? {} : { dynamicConfig: options.dynamicConfig }),
  });
  if (options.searchAttributes === false) await removeSearchAttributes(server.address);
  return server;
}

async function removeSearchAttributes(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  const namespace = 'default';
  await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes: searchAttributeNames });
  const areGone = async () => (await readSearchAttributes(connection, namespace)).registered.length === 0;
  await vi.waitUntil(areGone, { timeout: 10_000 });
  await connection.close();
}
