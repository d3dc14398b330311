import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** The lines that `heddle logs -f` shows of an agent, from the first one of its owner on. They are for people: no trouble with them stops the work. */
export class LiveLog {
  readonly #stream: WriteStream;

  /** `before` are the lines so far. */
  constructor(path: string, before: readonly string[]) {
    this.#stream = createWriteStream(path, { mode: 0o600 });
    this.#stream.on('error', () => undefined);
    this.write(...before);
  }

  write(...lines: string[]): void {
    if (lines.length > 0 && !this.#stream.destroyed) this.#stream.write(`${lines.join('\n')}\n`);
  }

  async close(): Promise<void> {
    if (this.#stream.destroyed) return;
    this.#stream.end();
    await finished(this.#stream).catch(() => undefined);
  }
}
