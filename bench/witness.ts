import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandExecutor } from '../domain/types/subtask.ts';

/** EX_NOPERM: goes to a person at once. */
const needsPerson = 77;
/** How often the file is looked at; the time itself is the file's. */
const look = 5;

/** Milliseconds since the epoch, by a clock that has parts of them. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

/** A program that leaves a byte in a file when it starts and then needs a person. */
export class Witness {
  readonly #file: string;

  constructor(folder: string) {
    this.#file = join(mkdtempSync(join(folder, 'witness-')), 'starts');
    writeFileSync(this.#file, '');
  }

  get run(): CommandExecutor['run'] {
    return ['sh', '-c', `printf . >> '${this.#file}'; exit ${needsPerson}`];
  }

  get starts(): number {
    return readFileSync(this.#file).length;
  }

  /** When the program started for the n-th time: milliseconds since the epoch, by the file's clock. */
  async started(times: number, patience: number): Promise<number> {
    const deadline = Date.now() + patience;
    while (this.starts < times) {
      if (Date.now() > deadline) throw new Error(`the program did not start within ${patience} ms`);
      await sleep(look);
    }
    return statSync(this.#file).mtimeMs;
  }
}
