import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { finished } from 'node:stream/promises';

import { scratchFolder, scratchOutput, showLog } from '../attempt/attempt-scratch.ts';
import type { AttemptPaths } from '../home/home-layout.ts';

/** What `heddle logs -f` follows of an agent, from the first line of the attempt on. It is for people: no trouble with it stops the work. */
export class LiveLog {
  readonly #stream: WriteStream;

  private constructor(stream: WriteStream) {
    this.#stream = stream;
    stream.on('error', () => undefined);
  }

  static async open(paths: AttemptPaths, run: string, before: readonly string[]): Promise<LiveLog> {
    const scratch = scratchFolder(paths, run);
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const log = new LiveLog(createWriteStream(scratchOutput(scratch).output, { mode: 0o600 }));
    log.write(...before);
    await showLog(paths, scratch);
    return log;
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
