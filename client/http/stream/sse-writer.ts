import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { clientLimits } from '../../limits/client-limits.ts';

/** One frame. Numbered ones have an id and no name: a reader of `onmessage` misses no new type of event. */
export type Frame = { id: number; data: string } | { event: string; data: string };

/** Milliseconds between two comments, and until a reader that takes nothing is cut off. */
type Pace = Readonly<Record<'ping' | 'stuck', number>>;

/**
 * Writes server-sent events to the socket as they are read. It keeps no queue: a sender waits until the reader took the frame before, and a
 * reader that takes nothing for a minute is cut off.
 */
export class SseWriter {
  readonly #response: ServerResponse;
  readonly #pace: Pace;
  readonly #closed = new AbortController();
  readonly #ping: NodeJS.Timeout;
  /** The last frame has been taken. */
  #ready: Promise<void> = Promise.resolve();
  #isStuck = false;

  constructor(response: ServerResponse, pace: Pace = clientLimits.streams) {
    this.#response = response;
    this.#pace = pace;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    response.once('close', () => this.#close());
    // A reader that went away while something was written to it is no error.
    response.on('error', () => this.#close());
    this.#ping = setInterval(() => this.#sendPing(), pace.ping);
    response.write(`retry: ${clientLimits.streams.retry}\n\n`);
  }

  /** Aborted when the reader has gone. */
  get signal(): AbortSignal {
    return this.#closed.signal;
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Resolves when the reader has taken it, or has gone. */
  send(frame: Frame): Promise<void> {
    const head = 'id' in frame ? `id: ${frame.id}` : `event: ${frame.event}`;
    return (this.#ready = this.#ready.then(() => this.#write(`${head}\ndata: ${frame.data}\n\n`)));
  }

  /** Closes the stream behind what was sent. */
  async end(): Promise<void> {
    await this.#ready;
    if (!this.#isClosed) this.#response.end();
    this.#close();
  }

  async #write(text: string): Promise<void> {
    if (this.#isClosed || this.#response.write(text)) return;
    this.#isStuck = true;
    const timer = setTimeout(() => this.#response.destroy(), this.#pace.stuck);
    // A reader that has gone takes nothing more, and that is no error.
    await once(this.#response, 'drain', { signal: this.signal }).catch((error: unknown) => {
      if (!this.#isClosed) throw error;
    });
    clearTimeout(timer);
    this.#isStuck = false;
  }

  /** A comment keeps proxies from closing the connection. A reader that is behind has enough to read. */
  #sendPing(): void {
    if (!this.#isStuck && !this.#isClosed) this.#response.write(': ping\n\n');
  }

  #close(): void {
    clearInterval(this.#ping);
    this.#closed.abort();
  }
}
