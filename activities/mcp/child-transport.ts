import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import { formatBytes } from '../../domain/text/bytes.ts';
import { tryParseJson } from '../../domain/util/try-parse-json.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { Talk } from '../programs/start-program.ts';
import type { CommandResult } from '../sandbox/command.ts';
import { Lines } from './lines.ts';

/** Starts the server, and resolves when nothing of it runs any more. */
export type StartServer = (talk: Talk, signal: AbortSignal) => Promise<CommandResult>;

/**
 * The standard streams of a server that runs as a command does: one JSON message per line. Anything else that it prints there is passed
 * over; a message that is too large ends it.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #start: StartServer;
  readonly #stop = new AbortController();
  readonly #lines = new Lines();
  #input: Writable | undefined;
  #ended: Promise<void> = Promise.resolve();
  #end: CommandResult | undefined;
  #trouble: string | undefined;

  constructor(start: StartServer) {
    this.#start = start;
  }

  /** Set once nothing of it runs any more. */
  get end(): CommandResult | undefined {
    return this.#end;
  }

  /** Why it was ended, where we ended it. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  async start(): Promise<void> {
    const opened = Promise.withResolvers<Writable>();
    const talk: Talk = {
      onOpen: opened.resolve,
      onPiece: (piece) => this.#hear(piece),
    };
    this.#ended = this.#start(talk, this.#stop.signal).then(
      (end) => this.#leave(end),
      (error: unknown) => this.#leave({ kind: 'not-started', why: String(error) }),
    );
    void this.#ended.then(() => opened.reject(new Error('it ended before it began')));
    this.#input = await opened.promise;
  }

  send(message: JSONRPCMessage): Promise<void> {
    const input = this.#input;
    if (input === undefined || this.#end !== undefined || !input.writable)
      return Promise.reject(new Error('the server has ended'));
    // Its pipe may break under it: the end of the server tells that to all who wait.
    input.write(`${JSON.stringify(message)}\n`, () => undefined);
    return Promise.resolve();
  }

  /** An orderly server ends when its input does. */
  async close(): Promise<void> {
    this.#input?.end();
    const patience = new AbortController();
    const wait = sleep(activityLimits.servers.closing, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([this.#ended, wait]);
    patience.abort();
    this.#stop.abort();
    await this.#ended;
  }

  #hear(piece: Buffer): void {
    if (this.#trouble !== undefined) return;
    const lines = this.#lines.push(piece);
    if (lines === undefined) return this.#refuse();
    for (const line of lines) {
      const message = tryParseJson(line);
      if (isMessage(message)) this.onmessage?.(message);
    }
  }

  #refuse(): void {
    this.#trouble = `it sent a message of more than ${formatBytes(activityLimits.servers.messageBytes)}`;
    this.#stop.abort();
  }

  #leave(end: CommandResult): void {
    this.#end = end;
    this.onclose?.();
  }
}

const isMessage = (value: unknown): value is JSONRPCMessage =>
  typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
