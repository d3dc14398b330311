import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

import { activityLimits } from '../limits/activity-limits.ts';

/** Paths of a program's output. */
export interface OutputPaths {
  /** stdout and stderr together, in the order of arrival. */
  output: string;
  /** stdout alone, where somebody wants it. */
  stdout?: string;
}

/** One file with a cap: what is above it is dropped, and known to be. */
class CappedFile {
  readonly stream: WriteStream;
  readonly #cap: number;
  #written = 0;
  truncated = false;

  constructor(path: string, cap: number) {
    this.stream = createWriteStream(path, { highWaterMark: activityLimits.outputBuffer, mode: 0o600 });
    this.#cap = cap;
  }

  write(chunk: Buffer): void {
    const room = this.#cap - this.#written;
    if (chunk.length > room) this.truncated = true;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#written += kept.length;
    if (kept.length > 0 && !this.stream.destroyed) this.stream.write(kept);
  }
}

/** A program's output on disk. When the disk cannot keep up, `isFull` says to stop reading until `onDrain` is called. */
export class OutputFiles {
  readonly #output: CappedFile;
  readonly #stdout: CappedFile | undefined;
  readonly #all: CappedFile[];
  #error: Error | undefined;

  private constructor(paths: OutputPaths, cap: number) {
    this.#output = new CappedFile(paths.output, cap);
    this.#stdout = paths.stdout === undefined ? undefined : new CappedFile(paths.stdout, cap);
    this.#all = [this.#output, this.#stdout].filter((file) => file !== undefined);
  }

  /** Rejects with the system error when a file cannot be made. */
  static async open(
    paths: OutputPaths,
    cap: number,
    on: { drain: () => void; error: (error: Error) => void },
  ): Promise<OutputFiles> {
    const files = new OutputFiles(paths, cap);
    const streams = files.#all.map((file) => file.stream);
    try {
      await Promise.all(streams.map((stream) => once(stream, 'open')));
    } catch (error) {
      for (const stream of streams) stream.on('error', () => undefined).destroy();
      throw error;
    }
    for (const stream of streams) {
      stream.on('drain', () => {
        if (!files.isFull) on.drain();
      });
      stream.on('error', (error) => {
        files.#error ??= error;
        on.error(error);
        on.drain();
      });
    }
    return files;
  }

  get isFull(): boolean {
    return this.#all.some((file) => file.stream.writableNeedDrain);
  }

  get truncated(): boolean {
    return this.#all.some((file) => file.truncated);
  }

  write(source: 'stdout' | 'stderr', chunk: Buffer): void {
    this.#output.write(chunk);
    if (source === 'stdout') this.#stdout?.write(chunk);
  }

  /** Waits until everything is written; returns what went wrong meanwhile, if anything did. */
  async close(): Promise<Error | undefined> {
    for (const { stream } of this.#all) {
      if (stream.destroyed) continue;
      stream.end();
      await finished(stream).catch(() => undefined);
    }
    return this.#error;
  }
}
