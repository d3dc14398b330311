/** The last bytes of a stream in constant memory. */
export class TailBuffer {
  readonly #ring: Buffer;
  #total = 0;

  constructor(capacity: number) {
    this.#ring = Buffer.alloc(capacity);
  }

  /** Bytes seen in all, kept or not. */
  get total(): number {
    return this.#total;
  }

  push(chunk: Buffer): void {
    const capacity = this.#ring.length;
    const kept = chunk.length > capacity ? chunk.subarray(chunk.length - capacity) : chunk;
    const start = (this.#total + chunk.length - kept.length) % capacity;
    const first = kept.copy(this.#ring, start);
    kept.copy(this.#ring, 0, first);
    this.#total += chunk.length;
  }

  /** Bytes that are kept. */
  get length(): number {
    return Math.min(this.#total, this.#ring.length);
  }

  /** At most so many bytes of the end. */
  bytes(most: number = this.#ring.length): Buffer {
    const end = this.#total % this.#ring.length;
    const start = end - Math.min(most, this.length);
    return start >= 0
      ? this.#ring.subarray(start, end)
      : Buffer.concat([this.#ring.subarray(start), this.#ring.subarray(0, end)]);
  }

  /** At most `bytes` of the end as text; a character that the cut goes through is left out. */
  text(bytes: number = this.#ring.length): string {
    const tail = this.bytes(bytes);
    return tail.toString('utf8', tail.length < this.#total ? continuationBytes(tail) : 0);
  }
}

/** UTF-8 characters have at most three bytes after their first; more than that is no UTF-8 and stays. */
function continuationBytes(tail: Buffer): number {
  let count = 0;
  while (count < 3 && ((tail[count] ?? 0) & 0xc0) === 0x80) count += 1;
  return count;
}

/** The end of a text, at most so many bytes of it. */
export function takeTail(text: string, bytes: number): string {
  const tail = new TailBuffer(bytes);
  tail.push(Buffer.from(text));
  return tail.text();
}
