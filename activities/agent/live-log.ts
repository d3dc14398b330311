import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

import type { ConversationOwner } from './conversation-owner.ts';

/** The lines that `heddle logs -f` shows of an agent, from the first one of its owner on. They are for people: no trouble with them stops the work. */
export class LiveLog {
  readonly #stream: WriteStream;

  private constructor(stream: WriteStream) {
    this.#stream = stream;
    stream.on('error', () => undefined);
  }

  static async open(owner: Pick<ConversationOwner, 'openOutput'>, before: readonly string[]): Promise<LiveLog> {
    const log = new LiveLog(createWriteStream(await owner.openOutput(), { mode: 0o600 }));
    log.write(...before);
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
