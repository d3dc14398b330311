import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { draftName } from '../../domain/names/names.ts';
import { activityLimits } from '../limits/activity-limits.ts';

interface DraftParts {
  /** The file that people follow: the draft is beside it. */
  output: string;
  redact: (text: string) => string;
}

/**
 * The reply of a model as it comes, for people who watch: the number of the turn, then its whole lines so far. A line that is not over is
 * not there, and all lines are redacted together, because secrets may have several. No trouble with it stops the work.
 */
export class DraftLog {
  readonly #parts: DraftParts;
  /** The turn that is drafted; 0: none. */
  #turn = 0;
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<unknown> = Promise.resolve();

  constructor(parts: DraftParts) {
    this.#parts = parts;
  }

  add(turn: number, text: string): void {
    if (turn !== this.#turn) this.#text = '';
    this.#turn = turn;
    this.#text += text;
    this.#timer ??= setTimeout(() => this.#write(), activityLimits.agent.draftPause);
  }

  /** The reply is there as a whole, or will never be. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#turn === 0) return;
    this.#turn = 0;
    this.#then(() => rm(this.#path, { force: true }));
  }

  async close(): Promise<void> {
    this.clear();
    await this.#written;
  }

  get #path(): string {
    return join(dirname(this.#parts.output), draftName);
  }

  #write(): void {
    this.#timer = undefined;
    const lines = this.#text.slice(0, this.#text.lastIndexOf('\n') + 1);
    const draft = `${this.#turn}\n${this.#parts.redact(lines)}`;
    const next = `${this.#path}.next`;
    // Readers see one draft or the next, never a part.
    this.#then(() => writeFile(next, draft, { mode: 0o600 }).then(() => rename(next, this.#path)));
  }

  #then(step: () => Promise<unknown>): void {
    this.#written = this.#written.then(step).catch(() => undefined);
  }
}
