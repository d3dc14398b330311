import { activityLimits } from '../../limits/activity-limits.ts';

/** Thrown for a document that cannot be read; the message is a clause for a model, such as "it is encrypted". */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

/** Thrown to stop reading: the text so far is the result, and `message` is a sentence about the rest. */
export class TextEndError extends Error {
  override readonly name = 'TextEndError';
}

/** A page, slide, sheet or entry of a document, and the line at which its text begins, from 1. */
export interface DocumentPart {
  name: string;
  line: number;
}

/** The growing text of a document, bounded in size and time: a reader that goes beyond is stopped by an error and loses nothing. */
export class DocumentText {
  readonly parts: DocumentPart[] = [];
  readonly notes: string[] = [];
  readonly #lines: string[] = [];
  readonly #until: number;
  #length = 0;
  #count = 0;

  constructor(until = performance.now() + activityLimits.documents.softTimeout) {
    this.#until = until;
  }

  /** The next line begins a part. A heading for it is the caller's. */
  startPart(name: string): void {
    this.#checkTime();
    if (this.parts.length < activityLimits.documents.parts) this.parts.push({ name, line: this.#count + 1 });
  }

  /** Adds a line, or several in one text. */
  add(line: string): void {
    this.#checkTime();
    const room = activityLimits.documents.text - this.#length;
    const shown = line.length < room ? line : line.slice(0, Math.max(0, room - 1));
    this.#lines.push(shown);
    this.#length += shown.length + 1;
    this.#count += countLines(shown);
    if (shown.length < line.length) throw new TextEndError('Only the beginning of the text is kept.');
  }

  toString(): string {
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`;
  }

  #checkTime(): void {
    if (performance.now() > this.#until) throw new TextEndError('It takes long to read: only its beginning was read.');
  }
}

/** Runs a reader; where it is stopped, a note says so, and what it added stays. */
export async function untilEnd<T>(text: DocumentText, work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TextEndError)) throw error;
    text.notes.push(error.message);
    return undefined;
  }
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
