import { clientLimits } from '../../limits.ts';
import type { OutStream } from '../../ports/terminal.ts';
import { displayWidth } from '../../text/terminal-text.ts';

const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
/** Terminals that know it show everything between the two at once; the others ignore it. */
const beginFrame = '\u001b[?2026h';
const endFrame = '\u001b[?2026l';
const eraseToEnd = '\u001b[K';
const eraseBelow = '\u001b[J';

/** Lines at the end of the terminal that are drawn again in place. */
export class Screen {
  readonly #stream: OutStream;
  #lines: readonly string[] = [];

  constructor(stream: OutStream) {
    this.#stream = stream;
  }

  get width(): number {
    return this.#stream.columns ?? clientLimits.cli.width;
  }

  /** The line of the cursor is kept free: a full terminal would scroll. */
  get height(): number {
    return Math.max(1, (this.#stream.rows ?? clientLimits.cli.height) - 1);
  }

  /** Each line is written over the one before, in one piece: nothing flickers. */
  draw(lines: readonly string[]): void {
    if (lines.length === this.#lines.length && lines.every((line, index) => line === this.#lines[index])) return;
    const up = this.#rowsDrawn();
    const back = up === 0 ? '' : `\u001b[${up}A`;
    const body = lines.map((line) => `${line}${eraseToEnd}\n`).join('');
    this.#stream.write(`${beginFrame}${hideCursor}\r${back}${body}${eraseBelow}${endFrame}`);
    this.#lines = lines;
  }

  /** Leaves what is drawn where it is; the next drawing begins below. */
  leave(): void {
    this.#lines = [];
    this.#stream.write(showCursor);
  }

  /** A terminal that became narrower has broken the lines that it showed. */
  #rowsDrawn(): number {
    const rows = this.#lines.map((line) => Math.max(1, Math.ceil(displayWidth(line) / this.width)));
    return Math.min(
      rows.reduce((sum, count) => sum + count, 0),
      this.height,
    );
  }
}
