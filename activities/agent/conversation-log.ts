import { Conversation } from '../../domain/conversation/conversation.ts';
import type { LogEntry } from '../../domain/conversation/entry.ts';
import { writeEntry } from '../../domain/conversation/read-entries.ts';
import type { LogFile } from './log-file.ts';

interface LogParts {
  file: LogFile;
  entries: LogEntry[];
  /** Throws `taken-over` when another start owns the attempt. */
  refuseUnlessOurs: () => Promise<void>;
  now: () => number;
}

/** Without the time, which the log adds. */
export type NewEntry = LogEntry extends infer Each ? (Each extends LogEntry ? Omit<Each, 'at'> : never) : never;

/** What must be on the disk before anything follows from it: an answer that was paid for, an effect that may happen, a person's word. */
const synced: ReadonlySet<LogEntry['k']> = new Set(['frame', 'turn', 'fold', 'permit', 'claim', 'result', 'stop']);

/**
 * The conversation of one attempt as this start writes it. Of two that both believe they own the attempt, the one that was taken over
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
    // Beside the sync: whoever takes over after this look reads the line, on the disk or not.
    const ours = this.#parts.refuseUnlessOurs();
    ours.catch(() => undefined);
    if (synced.has(whole.k)) await this.#parts.file.sync();
    this.#isBroken = false;
    this.#entries.push(whole);
    this.conversation.take(whole);
    await ours;
  }

  /** Before an effect: the last moment to find out that somebody else goes on with this attempt. */
  refuseUnlessOurs(): Promise<void> {
    return this.#parts.refuseUnlessOurs();
  }

  close(): Promise<void> {
    return this.#parts.file.close();
  }
}

function withTime(entry: NewEntry, at: number): LogEntry {
  return { ...entry, at };
}
