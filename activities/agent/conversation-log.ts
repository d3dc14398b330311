import { Conversation } from '../../domain/conversation/conversation.ts';
import type { LogEntry } from '../../domain/conversation/entry.ts';
import { writeEntry } from '../../domain/conversation/read-entries.ts';
import type { ConversationOwner } from './conversation-owner.ts';
import type { LogFile } from './log-file.ts';

interface LogParts {
  file: LogFile;
  entries: LogEntry[];
  owner: Pick<ConversationOwner, 'refuseUnlessOurs'>;
  now: () => number;
}

/** An entry without its time, which the log adds. */
export type NewEntry = LogEntry extends infer Each ? (Each extends LogEntry ? Omit<Each, 'at'> : never) : never;

/** Entries that must be on the disk before anything follows from them: a reply that was paid for, an effect that may happen, a person's answer. */
const synced: ReadonlySet<LogEntry['k']> = new Set(['frame', 'turn', 'fold', 'permit', 'claim', 'result', 'stop']);

/**
 * The conversation of one owner as this execution writes it. When two executions believe that they lead it, the one that was taken over
 * writes into a file that has lost its name, and finds that out before it does anything else.
 */
export class ConversationLog {
  readonly conversation: Conversation;
  readonly #parts: LogParts;
  readonly #entries: LogEntry[];
  #isBroken = false;

  constructor(parts: LogParts) {
    this.#parts = parts;
    this.#entries = parts.entries;
    this.conversation = Conversation.of(parts.entries);
  }

  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  async append(entry: NewEntry): Promise<void> {
    // A line may be there in part: another one after it would make it a damaged one in the middle.
    if (this.#isBroken) throw new Error('this log of a conversation could not be written before');
    const whole = withTime(entry, this.#parts.now());
    this.#isBroken = true;
    await this.#parts.file.append(writeEntry(whole));
    // Beside the sync: a worker that takes over after this look reads the line, on the disk or not.
    const ours = this.#parts.owner.refuseUnlessOurs();
    ours.catch(() => undefined);
    if (synced.has(whole.k)) await this.#parts.file.sync();
    this.#isBroken = false;
    this.#entries.push(whole);
    this.conversation.take(whole);
    await ours;
  }

  /** The last moment before an effect to find out that another execution leads this conversation. */
  refuseUnlessOurs(): Promise<void> {
    return this.#parts.owner.refuseUnlessOurs();
  }

  close(): Promise<void> {
    return this.#parts.file.close();
  }
}

function withTime(entry: NewEntry, at: number): LogEntry {
  return { ...entry, at };
}
