import type { TaskRow } from '../tasks/task-row.ts';
import type { BoardState, InboxEntry } from './board-state.ts';

/** A change of the board: questions and tasks that are new or differ from what the reader was told before, and those that are gone. */
export type BoardNews =
  | { kind: 'inbox'; count: number; items: InboxEntry[]; removed: { taskId: string; id: string }[] }
  | { kind: 'tasks'; items: TaskRow[]; removed: string[] }
  | { kind: 'trouble'; trouble: string | undefined };

/** One reader of the board: everything once, then what changed since it was told last, however long it took to read that. */
export async function* readBoard(state: BoardState, signal: AbortSignal): AsyncGenerator<BoardNews, void, undefined> {
  const questions = new SeenEntries<InboxEntry>();
  const rows = new SeenEntries<TaskRow>();
  let trouble: string | undefined;
  let isFirst = true;
  while (!signal.aborted) {
    if (state.trouble !== trouble) {
      trouble = state.trouble;
      yield { kind: 'trouble', trouble };
      continue;
    }
    if (state.isComplete) {
      const newQuestions = questions.take(state.questions);
      const newRows = rows.take(state.rows);
      if (isFirst || newQuestions.items.length + newQuestions.removed.length > 0) {
        const items = newQuestions.items.toSorted((a, b) => a.openedAt.localeCompare(b.openedAt));
        const removed = newQuestions.removed.map(({ taskId, id }) => ({ taskId, id }));
        yield { kind: 'inbox', count: questions.count, items, removed };
      }
      if (isFirst || newRows.items.length + newRows.removed.length > 0)
        yield { kind: 'tasks', items: newRows.items, removed: newRows.removed.map(({ id }) => id) };
      const isNew =
        isFirst ||
        newQuestions.items.length + newQuestions.removed.length + newRows.items.length + newRows.removed.length > 0;
      isFirst = false;
      if (isNew) continue;
    }
    await state.wait(signal);
  }
}

/** The entries that a reader knows, by their versions. */
class SeenEntries<T> {
  readonly #known = new Map<string, { version: number; value: T }>();

  get count(): number {
    return this.#known.size;
  }

  /** Gives the entries that differ from those that the reader knows; it knows them from now on. */
  take(entries: ReadonlyMap<string, { version: number; value: T }>): { items: T[]; removed: T[] } {
    const removed: T[] = [];
    for (const [key, { value }] of this.#known) {
      if (entries.has(key)) continue;
      this.#known.delete(key);
      removed.push(value);
    }
    const items: T[] = [];
    for (const [key, { version, value }] of entries) {
      if (this.#known.get(key)?.version === version) continue;
      this.#known.set(key, { version, value });
      items.push(value);
    }
    return { items, removed };
  }
}
