import { Client, Connection } from '@temporalio/client';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject, onTestFinished } from 'vitest';
import { HeddleClient } from '../../../client/index.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import { homeFolders, rootsIn, type HomeFolders } from '../../../activities/home/home-layout.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { startDevServer, type DevServer } from '../../../workers/server/dev-server.ts';
import { EndedTasks } from '../../support/place/ended-tasks.ts';
import { startWorkerProcess, type WorkerProcess } from '../../support/worker-process.ts';

export type Part = 'worker' | 'server';

/** Within this time the port of a killed server is free again. */
const portPatience = 10_000;

/** A server and a worker, each a process of its own with a home of its own, to be killed, stopped and started again. */
export class Machine {
  readonly folder: string;
  readonly home: HomeFolders;
  readonly workspace: string;
  /** Outside the workspace: nothing that is restored there takes a line away. */
  readonly witnessFile: string;
  readonly temporal: Client;
  readonly client: HeddleClient;
  /** Events of the machine, with times since its start. */
  readonly journal: string[] = [];
  readonly counts = { workerKills: 0, workerStops: 0, serverKills: 0, serverStops: 0 };
  readonly #startedAt = Date.now();
  readonly #continueAt: number;
  readonly #workers: WorkerProcess[] = [];
  #server: DevServer;

  private constructor(server: DevServer, connection: Connection, continueAt: number, folder: string) {
    this.#server = server;
    this.#continueAt = continueAt;
    this.folder = folder;
    this.home = homeFolders(rootsIn(join(folder, 'home')));
    this.workspace = join(folder, 'workspace');
    this.witnessFile = join(folder, 'witness.log');
    this.temporal = new Client({ connection, interceptors: { workflow: [new EndedTasks()] } });
    const store = new FileStore(this.home.store);
    this.client = new HeddleClient(this.temporal, {
      taskQueue: 'heddle',
      workflowTaskTimeout: 3_000,
      readStored: async (ref): Promise<unknown> => JSON.parse((await store.get(ref)).toString('utf8')),
    });
  }

  static async start(options: { continueAt: number }): Promise<Machine> {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-random-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
    const server = await startDevServer(serverOptions(folder, options.continueAt));
    const connection = await Connection.connect({ address: server.address });
    const machine = new Machine(server, connection, options.continueAt, folder);
    onTestFinished(async () => {
      await connection.close();
      await machine.#server.stop();
    });
    mkdirSync(machine.workspace, { recursive: true });
    await machine.startWorker();
    return machine;
  }

  /** Seconds since its start. */
  age(): string {
    return ((Date.now() - this.#startedAt) / 1000).toFixed(1);
  }

  note(what: string): void {
    this.journal.push(`${this.age()} s ${what}`);
  }

  async kill(part: Part, downMs: number): Promise<void> {
    this.note(`kill -9 ${part}, away for ${downMs} ms`);
    if (part === 'worker') {
      this.counts.workerKills += 1;
      await this.#worker.end('SIGKILL');
      await sleep(downMs);
      await this.startWorker();
    } else {
      this.counts.serverKills += 1;
      process.kill(this.#server.pid, 'SIGKILL');
      await this.#server.exited;
      await sleep(downMs);
      await this.#startServer();
    }
    this.note(`${part} is back`);
  }

  async stop(part: Part, forMs: number): Promise<void> {
    this.note(`SIGSTOP ${part} for ${forMs} ms`);
    if (part === 'worker') this.counts.workerStops += 1;
    else this.counts.serverStops += 1;
    const pid = part === 'worker' ? this.#worker.child.pid : this.#server.pid;
    if (pid === undefined) throw new Error(`the ${part} has no process`);
    process.kill(pid, 'SIGSTOP');
    await sleep(forMs);
    process.kill(pid, 'SIGCONT');
    this.note(`${part} goes on`);
  }

  async startWorker(): Promise<void> {
    const worker = await startWorkerProcess({
      HEDDLE_HOME: join(this.folder, 'home'),
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      TEMPORAL_ADDRESS: this.#server.address,
      HEDDLE_HOST: 'here',
    });
    this.#workers.push(worker);
  }

  /** Ends the worker as a deploy does; its exit code. */
  async endWorker(): Promise<number | NodeJS.Signals | null> {
    return this.#worker.end('SIGTERM');
  }

  /** A worker that ended by itself. */
  get lostWorker(): boolean {
    return this.#worker.child.exitCode !== null;
  }

  workerLogs(): string {
    return this.#workers.map((worker) => worker.stderr()).join('--- the next worker\n');
  }

  /** Lines of the witness file, in order. */
  witness(): { what: string; subtask: string; attempt: number; key: string; pid: number }[] {
    let text = '';
    try {
      text = readFileSync(this.witnessFile, 'utf8');
    } catch {
      // No program has run.
    }
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [what = '', subtask = '', attempt, key = '', pid] = line.split(' ');
        return { what, subtask, attempt: Number(attempt), key, pid: Number(pid) };
      });
  }

  get #worker(): WorkerProcess {
    const worker = this.#workers.at(-1);
    if (worker === undefined) throw new Error('there is no worker yet');
    return worker;
  }

  async #startServer(): Promise<void> {
    const deadline = Date.now() + portPatience;
    for (;;) {
      try {
        const same = { port: this.#server.port, keepPorts: true };
        this.#server = await startDevServer({ ...serverOptions(this.folder, this.#continueAt), ...same });
        return;
      } catch (error) {
        if (!(error instanceof HeddleError) || Date.now() > deadline) throw error;
        await sleep(200);
      }
    }
  }
}

const serverOptions = (folder: string, continueAt: number) => ({
  temporalPath: inject('temporalPath'),
  dbFile: join(folder, 'temporal.db'),
  logFile: join(folder, 'temporal.log'),
  headless: true,
  dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': String(continueAt) },
});

/** Processes of a task's programs and of whatever they started. */
export function processesOf(taskId: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`HEDDLE_TASK_ID=${taskId}`);
      } catch {
        return false; // another user's, or gone
      }
    })
    .map(Number);
}
