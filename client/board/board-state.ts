import type { Decision } from '../../domain/types/decision.ts';
import type { StatusView } from '../../domain/views/task-status.ts';
import { buildTaskRow, type TaskRow } from '../tasks/task-row.ts';
import type { TaskListing } from '../sdk/task-listing.ts';
import { Bell } from '../live/bell.ts';

/** An open question as the inbox lists it. */
export interface InboxEntry extends Pick<Decision, 'id' | 'kind' | 'subtask' | 'problem' | 'openedAt'> {
  taskId: string;
  goal: string;
}

/** A value, and the number of the change that gave it. */
interface Entry<T> {
  version: number;
  value: T;
  text: string;
}

/** The rows of all tasks and their open questions. A reader knows by version numbers what it was told before. */
export class BoardState {
  readonly rows = new Map<string, Entry<TaskRow>>();
  /** By task and decision. */
  readonly questions = new Map<string, Entry<InboxEntry>>();
  trouble: string | undefined;
  /** The tasks were listed, and those that wait were asked what for. */
  isComplete = false;
  readonly #news = new Bell();
  readonly #listings = new Map<string, TaskListing>();
  readonly #statuses = new Map<string, StatusView>();
  #version = 0;

  /** Resolves at the next change. */
  wait(signal: AbortSignal): Promise<void> {
    return this.#news.wait(signal);
  }

  /** Takes what the server lists: a task that is not in it any more is gone. */
  takeListings(listings: readonly TaskListing[]): void {
    const ids = new Set(listings.map(({ id }) => id));
    for (const id of [...this.#listings.keys()]) if (!ids.has(id)) this.#drop(id);
    for (const listing of listings) {
      this.#listings.set(listing.id, listing);
      if (listing.endedAt !== null) this.#statuses.delete(listing.id);
      this.#show(listing.id);
    }
    this.#news.ring();
  }

  /** Takes what a task answered; undefined where it does not answer. */
  takeStatus(id: string, status: StatusView | undefined): void {
    if (!this.#listings.has(id)) return;
    if (status === undefined) this.#statuses.delete(id);
    else this.#statuses.set(id, status);
    this.#show(id);
    this.#news.ring();
  }

  takeTrouble(trouble: string | undefined): void {
    if (trouble === this.trouble) return;
    this.trouble = trouble;
    this.#news.ring();
  }

  complete(): void {
    this.isComplete = true;
    this.#news.ring();
  }

  /** While nobody reads, nothing is looked at. */
  forget(): void {
    for (const id of [...this.#listings.keys()]) this.#drop(id);
    this.isComplete = false;
    this.trouble = undefined;
  }

  #drop(id: string): void {
    this.#listings.delete(id);
    this.#statuses.delete(id);
    this.rows.delete(id);
    this.#showQuestions(id, '', []);
  }

  #show(id: string): void {
    const listing = this.#listings.get(id);
    if (listing === undefined) return;
    const status = this.#statuses.get(id);
    this.#set(this.rows, id, buildTaskRow(listing, status));
    // A task that does not answer for a moment still asks what it asked.
    if (status !== undefined || listing.endedAt !== null)
      this.#showQuestions(id, listing.goal, listing.endedAt === null ? (status?.decisions ?? []) : []);
  }

  #showQuestions(taskId: string, goal: string, decisions: readonly Decision[]): void {
    const prefix = `${taskId} `;
    const open = new Set(decisions.map(({ id }) => `${prefix}${id}`));
    for (const key of [...this.questions.keys()])
      if (key.startsWith(prefix) && !open.has(key)) this.questions.delete(key);
    for (const { id, kind, subtask, problem, openedAt } of decisions)
      this.#set(this.questions, `${prefix}${id}`, { taskId, goal, id, kind, subtask, problem, openedAt });
  }

  #set<T extends object>(entries: Map<string, Entry<T>>, key: string, value: T): void {
    const text = JSON.stringify(value);
    if (entries.get(key)?.text === text) return;
    entries.set(key, { version: (this.#version += 1), value, text });
  }
}
