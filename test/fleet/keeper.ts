import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Command {
  program: string;
  args: string[];
  /** File that receives its output. */
  log: string;
  options: SpawnOptions;
}

/** How long a program may take to end by itself. */
const patience = 60_000;

const restartDelay = 300;

/** Keeps one program running as compose does (`restart: unless-stopped`): whenever it ends it is started again, until it is stopped. */
export class Keeper {
  readonly #command: Command;
  #child: ChildProcess | undefined;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();
  starts = 0;

  constructor(command: Command) {
    this.#command = command;
  }

  start(): this {
    this.#stopped = false;
    this.#running = this.#keep();
    return this;
  }

  async #keep(): Promise<void> {
    while (!this.#stopped) {
      await this.#once();
      await sleep(restartDelay);
    }
  }

  #once(): Promise<void> {
    const { program, args, log, options } = this.#command;
    const out = openSync(log, 'a');
    const child = spawn(program, args, { ...options, stdio: ['ignore', out, out] });
    closeSync(out);
    this.#child = child;
    this.starts += 1;
    return new Promise((resolve) => {
      child.on('exit', () => resolve());
      child.on('error', () => resolve());
    });
  }

  get pid(): number | undefined {
    return this.#child?.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined;
  }

  /** kill -9; it comes back by itself. */
  async killHard(): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.pid === undefined) throw new Error('it does not run');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Ends it for good. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#stopped = true;
    this.#child?.kill(signal);
    const forced = setTimeout(() => this.#child?.kill('SIGKILL'), patience);
    await this.#running;
    clearTimeout(forced);
  }
}
