import type { Writable } from 'node:stream';
import { colour, noColour, type Paint } from '../../terminal/text/paint.ts';
import { VisibleText } from '../../terminal/text/visible-text.ts';
import { terminalSize } from '../../terminal/text/terminal-size.ts';
import type { OutStream, TerminalPort } from '../../ports/terminal.ts';

/** The streams of a command: results go to stdout, remarks to stderr. */
export class Output {
  readonly json: boolean;
  /** True where lines are to be read one after the other, also on a terminal. */
  readonly plain: boolean;
  /** True where a person watches a terminal that can be redrawn. */
  readonly live: boolean;
  readonly paint: Paint;
  readonly errorPaint: Paint;
  readonly stdout: OutStream;
  readonly stderr: OutStream;
  /** Aborted when nobody reads stdout any more (`heddle watch … | head`). */
  readonly closed: AbortSignal;
  #failure: Error | undefined;

  constructor({ stdout, stderr, env }: Pick<TerminalPort, 'stdout' | 'stderr' | 'env'>, options: { json: boolean }) {
    this.json = options.json;
    this.stdout = stdout;
    this.stderr = stderr;
    // Screen readers get plain lines, and so does everybody who asks for them: as if it were no terminal.
    this.plain = env['TERM'] === 'dumb' || !['', '0'].includes(env['HEDDLE_PLAIN'] ?? '');
    this.live = !options.json && stdout.isTTY === true && !this.plain;
    const canColour = (env['NO_COLOR'] ?? '') === '' && !this.plain;
    this.paint = canColour && stdout.isTTY === true ? colour : noColour;
    this.errorPaint = canColour && stderr.isTTY === true ? colour : noColour;
    const closing = new AbortController();
    this.closed = closing.signal;
    stdout.on('error', (error: NodeJS.ErrnoException) => {
      // A reader that has gone is no failure; a disk that is full is one.
      if (error.code !== 'EPIPE' && error.code !== 'EIO') this.#failure ??= error;
      closing.abort();
    });
    stderr.on('error', () => undefined);
  }

  /** Columns of the terminal; without one nothing is cut. */
  get width(): number {
    return this.stdout.isTTY === true && !this.plain ? terminalSize(this.stdout).width : Infinity;
  }

  get height(): number {
    return terminalSize(this.stdout).height;
  }

  print(...lines: string[]): void {
    this.write(this.stdout, lines);
  }

  /** One JSON document on a line. */
  data(value: unknown): void {
    this.write(this.stdout, [jsonText(value)]);
  }

  /** For people only: what goes on beside the result. */
  note(...lines: string[]): void {
    if (!this.json) this.write(this.stderr, lines);
  }

  error(...lines: string[]): void {
    this.write(this.stderr, lines);
  }

  /** Bytes as they are; waits for a slow reader. */
  async raw(chunk: Uint8Array | string): Promise<void> {
    if (this.closed.aborted) return;
    await new Promise<void>((resolve) => {
      this.stdout.write(chunk, () => resolve());
    });
  }

  /** Why what was printed did not arrive; undefined where it did, or nobody wanted it. */
  async failure(): Promise<Error | undefined> {
    if (!this.closed.aborted) await new Promise<void>((resolve) => this.stdout.write('', () => resolve()));
    // The error is an event of its own.
    await new Promise((resolve) => setImmediate(resolve));
    return this.#failure;
  }

  /** How somebody else's text is shown: as it is where a program reads it, on a terminal with nothing in it that the terminal obeys. */
  foreign({ keepsColours = false } = {}): (chunk: Uint8Array | string) => Promise<void> {
    if (this.stdout.isTTY !== true) return (chunk) => this.raw(chunk);
    const visible = new VisibleText({ keepsColours });
    return (chunk) => this.raw(visible.push(chunk));
  }

  private write(stream: Writable, lines: readonly string[]): void {
    if (lines.length === 0 || (stream === this.stdout && this.closed.aborted)) return;
    stream.write(`${lines.join('\n')}\n`);
  }
}

/** Characters that JSON leaves as they are, and that a terminal obeys, hides or shows in another order. */
const invisible = /[\u007f-\u009f]|(?![\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A value as JSON in which such characters stand by their numbers: the same document, safe to look at. */
export const jsonText = (value: unknown, indent = 0): string =>
  JSON.stringify(value, null, indent).replace(invisible, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
