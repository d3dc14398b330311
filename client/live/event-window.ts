import type { EventOfTask } from '../../workflows/task/messages.ts';
import { clientLimits } from '../limits/client-limits.ts';

/** The newest events of a task, without a gap between them. A reader takes the one that follows its number. */
export class EventWindow {
  #events: EventOfTask[] = [];
  #start: number;
  #archivedBefore = 0;

  /** The window is empty; the first event that it takes is the one after `start`. */
  constructor(start: number) {
    this.#start = start;
  }

  /** Events after this number are here; those up to it are read from the task or its archive. */
  get start(): number {
    return this.#start;
  }

  /** The number of the newest event that is here. */
  get head(): number {
    return this.#start + this.#events.length;
  }

  get last(): EventOfTask | undefined {
    return this.#events.at(-1);
  }

  /** Events before this number are known to be in the archive. */
  get archivedBefore(): number {
    return this.#archivedBefore;
  }

  after(number: number): EventOfTask | undefined {
    return number < this.#start ? undefined : this.#events[number - this.#start];
  }

  /** Adds a page that was asked for behind the head. Where the task holds a later part only, the window begins again there. */
  take(page: readonly EventOfTask[]): void {
    for (const event of page) {
      if (event.id <= this.head) continue;
      if (event.id > this.head + 1) {
        this.noteArchived(event.id);
        this.restart(event.id - 1);
      }
      this.#events.push(event);
    }
    // A page is kept whole: readers who wait for it would have to ask for it again.
    const excess = this.#events.length - Math.max(clientLimits.feed.events, page.length);
    if (excess <= 0) return;
    this.#events.splice(0, excess);
    this.#start += excess;
  }

  noteArchived(before: number): void {
    this.#archivedBefore = Math.max(this.#archivedBefore, before);
  }

  /** Forgets everything; the next event is the one after `start`. */
  restart(start: number): void {
    this.#events = [];
    this.#start = start;
  }
}
