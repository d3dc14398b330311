import type { Conversation } from '../../../domain/conversation/conversation.ts';
import type { LogEntryOf } from '../../../domain/conversation/entry.ts';
import type { Asker, Models } from '../../llm/ports/model.ts';
import type { GrantKey } from '../../../domain/types/agent.ts';
import type { TokenMeter } from './token-meter.ts';

type Written = 'call' | 'failed' | 'fold';

/** What folding writes into the log of a conversation. */
export type NewMark = { [K in Written]: Omit<LogEntryOf<K>, 'at'> }[Written];

/** What folding needs of whoever leads the conversation. */
export interface ContextParts {
  log: { readonly conversation: Conversation; append(entry: NewMark): Promise<void> };
  meter: TokenMeter;
  models: Models;
  asker: Omit<Asker, 'turn'>;
  /** Ends a request: the task, the worker, or the time of the attempt. */
  signal: AbortSignal;
  left: (key: GrantKey) => number;
  /** Milliseconds that the attempt still has. */
  timeLeft: () => number;
  /** Removes secrets. */
  redact: (text: string) => string;
  onCompaction: (fold: LogEntryOf<'fold'>) => void;
}
