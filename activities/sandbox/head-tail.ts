import { TailBuffer } from '../programs/tail-buffer.ts';

/** The beginning and the end of an output. */
export interface KeptText {
  head: string;
  /** Empty where the beginning is all. */
  tail: string;
  /** Printed in all, and between the two. */
  bytes: number;
  dropped: number;
}

/** Keeps both ends of a stream in constant memory. */
export class HeadTail {
  readonly #head: Buffer;
  readonly #tail: TailBuffer;
  #filled = 0;

  constructor(head: number, tail: number) {
    this.#head = Buffer.alloc(head);
    this.#tail = new TailBuffer(tail);
  }

  /** Bytes seen in all, kept or not. */
  get total(): number {
    return this.#filled + this.#tail.total;
  }

  push(piece: Buffer): void {
    const taken = piece.copy(this.#head, this.#filled);
    this.#filled += taken;
    if (taken < piece.length) this.#tail.push(piece.subarray(taken));
  }

  kept(): KeptText {
    const { total, length } = this.#tail;
    const dropped = total - length;
    const head = this.#head.subarray(0, this.#filled);
    const bytes = this.total;
    // Nothing is missing between them: a character that the border goes through is whole again.
    if (dropped === 0) return { head: Buffer.concat([head, this.#tail.bytes()]).toString(), tail: '', bytes, dropped };
    return { head: withoutHalf(head), tail: this.#tail.text(), bytes, dropped };
  }
}

/** Without a character whose end was cut off. */
function withoutHalf(head: Buffer): string {
  return head.toString().replace(/\uFFFD$/, '');
}
