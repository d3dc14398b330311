import type { OutStream } from '../../ports/terminal.ts';
import { terminalSize } from '../text/terminal-size.ts';
import { displayWidth } from '../text/terminal-text.ts';

const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
/** Terminals that know it show everything between the two at once; the others ignore it. */
const beginFrame = '\u001b[?2026h';
const endFrame = '\u001b[?2026l';
/** A terminal that became narrower a moment ago must cut a line, not break it. */
const cutLines = '\u001b[?7l';
const breakLines = '\u001b[?7h';
const eraseToEnd = '\u001b[K';
const eraseBelow = '\u001b[J';

/** Lines at the end of the terminal that are drawn again in place. */
export class Screen {
  readonly #stream: OutStream;
  #lines: readonly string[] = [];
  /** Lines of earlier drawings that went out at the top as the terminal became smaller: a growing terminal brings them back. */
  #above: readonly string[] = [];

  constructor(stream: OutStream) {
    this.#stream = stream;
  }

  get width(): number {
    return terminalSize(this.#stream).width;
  }

  /** The line of the cursor is kept free: a full terminal would scroll. */
  get height(): number {
    return Math.max(1, terminalSize(this.#stream).height - 1);
  }

  /** Each line is written over the one before, in one piece: nothing flickers. */
  draw(lines: readonly string[]): void {
    if (lines.length === this.#lines.length && lines.every((line, index) => line === this.#lines[index])) return;
    this.redraw(lines);
  }

  /** Also when nothing changed: the terminal may have lost or broken it. */
  redraw(lines: readonly string[]): void {
    const up = this.#rowsToTop();
    const back = up === 0 ? '' : `\u001b[${up}A`;
    // Erased before it is written: behind a line of the full width the cursor still stands on its last character.
    const body = lines.map((line) => `${eraseToEnd}${line}\n`).join('');
    const frame = `${hideCursor}${cutLines}\r${back}${body}${eraseBelow}${breakLines}`;
    this.#stream.write(`${beginFrame}${frame}${endFrame}`);
    this.#lines = lines;
  }

  /** Leaves what is drawn where it is; the next drawing begins below. */
  leave(): void {
    this.#lines = [];
    this.#above = [];
    this.#stream.write(showCursor);
  }

  /** A terminal that became narrower has broken the lines that it showed; what no longer fits has gone out at the top. */
  #rowsToTop(): number {
    const all = [...this.#above, ...this.#lines];
    let rows = 0;
    let first = all.length;
    while (first > 0) {
      const more = Math.max(1, Math.ceil(displayWidth(all[first - 1] ?? '') / this.width));
      if (rows + more > this.height) break;
      rows += more;
      first -= 1;
    }
    this.#above = all.slice(0, first);
    return first === 0 ? rows : this.height;
  }
}
