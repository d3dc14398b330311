import { activityLimits } from '../limits/activity-limits.ts';

const newline = 0x0a;

/** Cuts a stream of bytes into lines. Only the new piece is searched, so that a long message costs its length once. */
export class Lines {
  readonly #most: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(most: number = activityLimits.servers.messageBytes) {
    this.#most = most;
  }

  /** Returns the lines that the piece ends; undefined when one is longer than it may be. */
  push(piece: Buffer): string[] | undefined {
    const lines: string[] = [];
    let from = 0;
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, from)) {
      if (!this.#keep(piece.subarray(from, end))) return undefined;
      lines.push(Buffer.concat(this.#pieces).toString());
      this.#pieces = [];
      this.#bytes = 0;
      from = end + 1;
    }
    return this.#keep(piece.subarray(from)) ? lines : undefined;
  }

  #keep(part: Buffer): boolean {
    this.#bytes += part.length;
    if (part.length > 0) this.#pieces.push(part);
    return this.#bytes <= this.#most;
  }
}
