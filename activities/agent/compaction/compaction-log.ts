import type { Conversation } from '../../../domain/conversation/conversation.ts';
import type { LogEntryOf } from '../../../domain/conversation/entry.ts';
import type { Asker, Models } from '../../llm/ports/model.ts';
import type { GrantKey } from '../../../domain/types/agent.ts';
import type { TokenMeter } from './token-meter.ts';

type Written = 'call' | 'failed' | 'fold';

/** An entry that compaction writes into the log of a conversation. */
export type NewMark = { [K in Written]: Omit<LogEntryOf<K>, 'at'> }[Written];

/** The parts of the loop that compaction needs. */
export interface CompactionParts {
  log: { readonly conversation: Conversation; append(entry: NewMark): Promise<void> };
  meter: TokenMeter;
  models: Models;
  /** The owner of the conversation, as models see it, and how its secrets are removed. */
  owner: { readonly asker: Omit<Asker, 'turn'>; readonly redact: (text: string) => string };
  /** Ends a request: the task, the worker, or the time of the conversation. */
  signal: AbortSignal;
  left: (key: GrantKey) => number;
  /** Milliseconds that the conversation still has. */
  timeLeft: () => number;
  onCompaction: (fold: LogEntryOf<'fold'>) => void;
}
