import type { EventOfTask } from '../../workflows/task/messages.ts';
import type { Stretch } from '../follow/read-pages.ts';
import type { EventWindow } from './event-window.ts';
import type { FeedSource } from './task-news.ts';

/** Events that a window no longer has, or never had. */
export interface OlderPart extends Stretch<EventOfTask> {
  /** The number up to which this part goes; the one that was asked behind where there is nothing. */
  upTo: number;
}

/** Reads what is older than a window, from the archive or the task. Readers who ask for the same at the same time share one answer. */
export class OlderEvents {
  readonly #source: FeedSource;
  readonly #window: EventWindow;
  readonly #asked = new Map<number, Promise<OlderPart>>();

  constructor(source: FeedSource, window: EventWindow) {
    this.#source = source;
    this.#window = window;
  }

  read(after: number, signal: AbortSignal): Promise<OlderPart> {
    const pending = this.#asked.get(after);
    if (pending !== undefined) return pending;
    const part = this.#ask(after, signal).finally(() => this.#asked.delete(after));
    this.#asked.set(after, part);
    return part;
  }

  async #ask(after: number, signal: AbortSignal): Promise<OlderPart> {
    const window = this.#window;
    if (after + 1 < window.archivedBefore) return this.#archived(after, window.archivedBefore, signal);
    const page = await this.#source.page(after, signal);
    const [first] = page;
    if (first === undefined || first.id === after + 1)
      return { items: page, missing: [], upTo: page.at(-1)?.id ?? after };
    window.noteArchived(first.id);
    return this.#archived(after, first.id, signal);
  }

  async #archived(after: number, before: number, signal: AbortSignal): Promise<OlderPart> {
    return { ...(await this.#source.archived({ after, before }, signal)), upTo: before - 1 };
  }
}
