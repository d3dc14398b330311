import type { AttemptView } from '../../domain/model/attempt-view.ts';
import type { Output } from '../cli/output.ts';

const lineFeed = 0x0a;

/** Prints outputs one after the other, with a header where another one begins. */
export class LogPrinter {
  readonly #output: Output;
  #current = '';
  #midLine = false;
  #started = false;

  constructor(output: Output) {
    this.#output = output;
  }

  async print(record: AttemptView, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    let count = 0;
    for await (const chunk of bytes) {
      if (chunk.length === 0) continue;
      await this.header(record);
      await this.#output.raw(chunk);
      this.#midLine = chunk.at(-1) !== lineFeed;
      count += chunk.length;
      if (this.#output.closed.aborted) break;
    }
    return count;
  }

  /** A line of ours below the header. */
  async remark(record: AttemptView, text: string): Promise<void> {
    await this.header(record);
    await this.#output.raw(`${this.#midLine ? '\n' : ''}${this.#output.paint('dim', `(${text})`)}\n`);
    this.#midLine = false;
  }

  async header(record: AttemptView): Promise<void> {
    const title = headerOf(record);
    if (this.#current === keyOf(record)) return;
    this.#current = keyOf(record);
    const before = `${this.#midLine ? '\n' : ''}${this.#started ? '\n' : ''}`;
    await this.#output.raw(`${before}${this.#output.paint('bold', title)}\n`);
    this.#started = true;
    this.#midLine = false;
  }

  async end(): Promise<void> {
    if (this.#midLine) await this.#output.raw('\n');
    this.#midLine = false;
  }
}

export const keyOf = ({ subtask, attempt }: AttemptView): string => `${subtask}/${attempt}`;

export function headerOf({ subtask, attempt, outcome, type }: AttemptView): string {
  const how = outcome === 'failed' && type !== null ? `${outcome}, ${type}` : outcome;
  return `==> ${subtask}, attempt ${attempt} (${how}) <==`;
}
