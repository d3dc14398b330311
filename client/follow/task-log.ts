import type { AttemptView } from '../../domain/types/attempt-view.ts';
import type { Archive, ArchivePage, EventOfTask } from '../../workflows/task/messages.ts';
import { readArchived, readLog, type LogPart, type ReadStored, type Stretch } from './read-pages.ts';

interface LogSource {
  archive: () => Promise<Archive>;
  /** A page of events behind a number. */
  events: (since: number) => Promise<EventOfTask[]>;
  /** A page of attempts behind the first ones. */
  attempts: (after: number) => Promise<AttemptView[]>;
  read: ReadStored;
}

/** The events and attempts of a task, in one piece, wherever their pages are. */
export class TaskLog {
  readonly #taskId: string;
  readonly #source: LogSource;

  constructor(taskId: string, source: LogSource) {
    this.#taskId = taskId;
    this.#source = source;
  }

  events(since: number, part: LogPart = {}): Promise<Stretch<EventOfTask>> {
    const { archive, events, read } = this.#source;
    return readLog(
      {
        archive: async () => (await archive()).events,
        page: events,
        lastOf: (page, after) => page.at(-1)?.id ?? after,
        read,
        isItem: (value): value is EventOfTask => this.#isEvent(value),
      },
      since,
      part,
    );
  }

  /** Numbered by their positions. */
  attempts(after = 0, part: LogPart = {}): Promise<Stretch<AttemptView>> {
    const { archive, attempts, read } = this.#source;
    return readLog(
      {
        archive: async () => (await archive()).attempts,
        page: attempts,
        lastOf: (page, from) => from + page.length,
        read,
        isItem: isAttempt,
      },
      after,
      part,
    );
  }

  archivedEvents(
    { events }: { events: readonly ArchivePage[] },
    between: { after: number; before: number },
  ): Promise<Stretch<EventOfTask>> {
    const isItem = (value: unknown): value is EventOfTask => this.#isEvent(value);
    return readArchived({ read: this.#source.read, isItem }, events, between);
  }

  /** Only we write these pages; this tells a damaged one, or one of another task. */
  #isEvent(value: unknown): value is EventOfTask {
    return (
      hasFields(value, ['id', 'time', 'type', 'text']) &&
      typeof value['id'] === 'number' &&
      value['taskId'] === this.#taskId
    );
  }
}

function isAttempt(value: unknown): value is AttemptView {
  return hasFields(value, ['subtask', 'attempt', 'outcome', 'startedAt']);
}

function hasFields(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && names.every((name) => Object.hasOwn(value, name));
}
