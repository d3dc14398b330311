import type { AttemptView } from '../../domain/types/attempt-view.ts';
import { classifyEnd } from '../../domain/report/attempts.ts';

const lineFeed = 0x0a;

/** The place where outputs are printed. */
export interface LogSink {
  /** Bytes as they are; waits for a slow reader. */
  raw(chunk: Uint8Array | string): Promise<void>;
  /** How the text of programs and models is printed. */
  foreign(options: { keepsColours: boolean }): (chunk: Uint8Array) => Promise<void>;
  paint(style: 'bold' | 'dim', text: string): string;
  /** Aborted when nobody reads any more. */
  closed: AbortSignal;
}

/** Prints outputs one after the other, with a header where another one begins. */
export class LogPrinter {
  readonly #sink: LogSink;
  readonly #show: (chunk: Uint8Array) => Promise<void>;
  #current = '';
  #midLine = false;
  #started = false;

  /** Programs may colour what they print; what a model says has no colours of its own. */
  constructor(sink: LogSink, { keepsColours }: { keepsColours: boolean }) {
    this.#sink = sink;
    this.#show = sink.foreign({ keepsColours });
  }

  async print(record: AttemptView, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    let count = 0;
    for await (const chunk of bytes) {
      if (chunk.length === 0) continue;
      await this.header(record);
      await this.#show(chunk);
      this.#midLine = chunk.at(-1) !== lineFeed;
      count += chunk.length;
      if (this.#sink.closed.aborted) break;
    }
    return count;
  }

  /** A line of ours below the header. */
  async remark(record: AttemptView, text: string): Promise<void> {
    await this.header(record);
    await this.#sink.raw(`${this.#midLine ? '\n' : ''}${this.#sink.paint('dim', `(${text})`)}\n`);
    this.#midLine = false;
  }

  async header(record: AttemptView): Promise<void> {
    const title = formatHeader(record);
    if (this.#current === attemptKey(record)) return;
    this.#current = attemptKey(record);
    const before = `${this.#midLine ? '\n' : ''}${this.#started ? '\n' : ''}`;
    await this.#sink.raw(`${before}${this.#sink.paint('bold', title)}\n`);
    this.#started = true;
    this.#midLine = false;
  }

  async end(): Promise<void> {
    if (this.#midLine) await this.#sink.raw('\n');
    this.#midLine = false;
  }
}

export const attemptKey = ({ subtask, attempt }: AttemptView): string => `${subtask}/${attempt}`;

export function formatHeader(record: AttemptView): string {
  const { subtask, attempt, outcome, type } = record;
  const how = outcome === 'failed' && type !== null ? `${outcome}, ${type}` : classifyEnd(record);
  return `==> ${subtask}, attempt ${attempt} (${how}) <==`;
}
