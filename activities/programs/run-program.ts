import type { ChildProcess } from 'node:child_process';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { activityLimits } from '../limits/activity-limits.ts';
import { argvInGroup } from './argv-in-group.ts';
import { lastLine } from './last-line.ts';
import { OutputFiles } from './output-files.ts';
import type { OutputPaths } from './output-files.ts';
import { endOrphan } from './orphan.ts';
import { endGroup, isGroupAlive } from './process-group.ts';
import { connectPipes, startProgram, type ProgramStart } from './start-program.ts';
import { buildTrouble, type SystemTrouble } from './system-trouble.ts';
import { TailBuffer } from './tail-buffer.ts';
import { Redactor } from '../redact/redactor.ts';
import type { RedactedStream } from '../redact/redactor.ts';

export interface ProgramOptions extends ProgramStart {
  /** Program and arguments; no shell reads them. */
  argv: readonly string[];
  /** Milliseconds. */
  timeout: number;
  /** Ends the program's whole process group. */
  signal?: AbortSignal;
  /** Paths of its output, when it is kept. */
  paths?: OutputPaths;
  /** Each piece of output in the order of arrival, without secrets. */
  onOutput?: (piece: Buffer) => void;
  /** Removes secrets before anything leaves this process: files, tails and lines are without them. */
  redactor?: Redactor;
  /** The last line of output so far, at every piece of output: the caller throttles. */
  onLine?: (line: string) => void;
  /** The program runs, but has no input yet: a place to record it. A rejection ends the program. */
  onStart?: (pid: number) => Promise<void> | void;
  /** Bytes of each stream's end to return. */
  tailBytes?: number;
  maxOutputBytes?: number;
  killGrace?: number;
  /** An entry in the environment of its processes and of no others: by it those are found, and ended, that left the process group. */
  mark?: string;
  /** An entry that all starts of its attempt share: by it the next worker finds, and ends, what is left of them. */
  attemptMark?: string;
}

export interface ProgramResult {
  /** `exited`: see exitCode or signal. `timeout`, `aborted`: ended by us, with everything it had started. */
  end: 'exited' | 'timeout' | 'aborted' | 'not-started';
  exitCode: number | null;
  signal: string | null;
  stdoutTail: string;
  stderrTail: string;
  /** After secrets were replaced, as in the files. */
  stdoutBytes: number;
  stderrBytes: number;
  /** Output above the cap was dropped. */
  truncated: boolean;
  durationMs: number;
  /** Why it was not started. */
  startError?: SystemTrouble;
  /** Why its output could not be kept; the program was ended for it. */
  outputError?: SystemTrouble;
}

const sources = ['stdout', 'stderr'] as const;
type Source = (typeof sources)[number];

type Stop = 'timeout' | 'aborted' | 'failed';

/** A timer cannot be set for longer. */
const longestTimer = 2 ** 31 - 1;

/** How much of a stream's end is searched for its last line. */
const lineWindow = 1_024;

/** Bytes of each tail where the caller does not say. */
const defaultTail = 8 * 1_024;

/**
 * Runs a program in a process group of its own and returns what happened; never rejects for anything the program or the system does.
 * Nothing of the group, and nothing that carries the mark, runs any more when it returns.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  const run = new RunningProgram(options);
  try {
    return await run.result();
  } finally {
    run.release();
  }
}

class RunningProgram {
  readonly #options: ProgramOptions;
  readonly #startedAt = performance.now();
  readonly #tails: Record<Source, TailBuffer>;
  readonly #redacted: Record<Source, RedactedStream>;
  readonly #stopped: Promise<Stop>;
  #stop: (reason: Stop) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #trouble: Error | undefined;
  #child: ChildProcess | undefined;
  readonly #abort = (): void => this.#stop('aborted');

  constructor(options: ProgramOptions) {
    this.#options = options;
    const capacity = options.tailBytes ?? defaultTail;
    this.#tails = { stdout: new TailBuffer(capacity), stderr: new TailBuffer(capacity) };
    const redactor = options.redactor ?? Redactor.none;
    this.#redacted = { stdout: redactor.stream(), stderr: redactor.stream() };
    this.#stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
  }

  async result(): Promise<ProgramResult> {
    const options = this.#options;
    if (options.signal?.aborted === true) return this.#describe({ end: 'aborted' });
    let files: OutputFiles | undefined;
    try {
      files = await this.#openFiles();
    } catch (error) {
      return this.#describe({ end: 'not-started', startError: buildTrouble(error) });
    }
    const started = await startProgram(options, await argvInGroup(options));
    if ('startError' in started) {
      await files?.close();
      return this.#describe({ end: 'not-started', startError: started.startError });
    }
    this.#child = started.child;
    this.#read(started.child, files);
    const ended = await this.#follow(started.child, started.pid);
    for (const source of sources) this.#keep(source, this.#redacted[source].end(), files);
    const outputError = (await files?.close()) ?? this.#trouble;
    return this.#describe({
      ...ended,
      truncated: files?.truncated ?? false,
      ...(outputError === undefined ? {} : { outputError: buildTrouble(outputError) }),
    });
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#abort);
  }

  async #openFiles(): Promise<OutputFiles | undefined> {
    const { paths, maxOutputBytes = activityLimits.maxOutputBytes } = this.#options;
    if (paths === undefined) return undefined;
    return OutputFiles.open(paths, maxOutputBytes, {
      drain: () => this.#resume(),
      error: (error) => this.#fail(error),
    });
  }

  #read(child: ChildProcess, files: OutputFiles | undefined): void {
    const { talk } = this.#options;
    for (const source of sources) {
      child[source]?.on('error', () => undefined);
      if (source === 'stdout' && talk !== undefined) {
        child.stdout?.on('data', talk.onPiece);
        continue;
      }
      child[source]?.on('data', (chunk: Buffer) => {
        this.#keep(source, this.#redacted[source].push(chunk), files);
        if (files?.isFull === true) this.#pause();
      });
    }
    connectPipes(child, this.#options.pipes ?? []);
  }

  #keep(source: Source, shown: Buffer, files: OutputFiles | undefined): void {
    if (shown.length === 0) return;
    this.#tails[source].push(shown);
    files?.write(source, shown);
    this.#options.onOutput?.(shown);
    this.#tellLine(this.#tails[source]);
  }

  #pause(): void {
    this.#child?.stdout?.pause();
    this.#child?.stderr?.pause();
  }

  #resume(): void {
    this.#child?.stdout?.resume();
    this.#child?.stderr?.resume();
  }

  #tellLine(tail: TailBuffer): void {
    if (this.#options.onLine === undefined) return;
    const line = lastLine(tail.text(lineWindow));
    if (line !== undefined) this.#options.onLine(line);
  }

  /** From the start of the program to the end of its whole group. */
  async #follow(child: ChildProcess, pid: number): Promise<Pick<ProgramResult, 'end' | 'exitCode' | 'signal'>> {
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const exited = new Promise<'exited'>((resolve) => {
      child.once('exit', () => resolve('exited'));
    });
    this.#timer = setTimeout(() => this.#stop('timeout'), Math.min(this.#options.timeout, longestTimer));
    this.#options.signal?.addEventListener('abort', this.#abort, { once: true });
    const fed = this.#feed(child, pid);

    const reason = await Promise.race([exited, this.#stopped]);
    if (reason === 'exited') {
      // A process that the program left behind, such as a `tee`, may still be writing the last lines, but it is not waited for for ever.
      await within(activityLimits.pipeDrain, closed);
    }
    if (reason !== 'exited' || (await isGroupAlive(pid))) {
      await endGroup(pid, this.#options.killGrace);
      await within(activityLimits.killWait, exited);
      await within(activityLimits.pipeDrain, closed);
    }
    await this.#endMarked();
    // Only something that left the group and wiped its environment, where there are no control groups, can hold them now; it is not waited for.
    child.stdout?.destroy();
    child.stderr?.destroy();
    await fed;
    const end = reason === 'failed' ? 'exited' : reason;
    return { end, exitCode: child.exitCode, signal: child.signalCode };
  }

  async #endMarked(): Promise<void> {
    const { mark, killGrace } = this.#options;
    if (mark !== undefined) await endOrphan({ host: hostname(), mark }, killGrace);
  }

  /** The input comes after the record: a program that waits for its prompt does nothing that nobody knows of. */
  async #feed(child: ChildProcess, pid: number): Promise<void> {
    // A program may end without reading its input.
    child.stdin?.on('error', () => undefined);
    try {
      await this.#options.onStart?.(pid);
      const { stdin, talk } = this.#options;
      if (talk === undefined || child.stdin === null) child.stdin?.end(stdin);
      else {
        if (stdin !== undefined) child.stdin.write(stdin);
        talk.onOpen(child.stdin);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#trouble ??= error instanceof Error ? error : new Error(String(error));
    this.#stop('failed');
  }

  #describe(facts: Pick<ProgramResult, 'end'> & Partial<ProgramResult>): ProgramResult {
    return {
      exitCode: null,
      signal: null,
      stdoutTail: this.#tails.stdout.text(),
      stderrTail: this.#tails.stderr.text(),
      stdoutBytes: this.#tails.stdout.total,
      stderrBytes: this.#tails.stderr.total,
      truncated: false,
      durationMs: Math.round(performance.now() - this.#startedAt),
      ...facts,
    };
  }
}

async function within(most: number, event: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const timer = sleep(most, undefined, { signal: patience.signal }).catch(() => undefined);
  await Promise.race([event, timer]);
  patience.abort();
}
