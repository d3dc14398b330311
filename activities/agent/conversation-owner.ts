import type { TaskNews } from '../../domain/types/agent.ts';
import type { Asker } from '../llm/ports/model.ts';

/**
 * The one thing that a conversation belongs to, such as one execution of an attempt. The loop, its log and its gates know no more of it,
 * so that another kind of owner can lead a conversation by the same rules.
 */
export interface ConversationOwner {
  /** Stands in the first line of the log. A log with another key belongs to an earlier owner of the same path, and is not continued. */
  readonly key: string;
  /** The execution that leads the conversation now. */
  readonly run: string;
  /** Path of the log, in JSON lines. */
  readonly log: string;
  /** The owner as models see it in their requests, and as scripts choose their replies by. */
  readonly asker: Omit<Asker, 'turn'>;
  /** Shows people the file that they follow from now on, which belongs to this execution alone, and returns its path. */
  readonly openOutput: () => Promise<string>;
  /** Throws `taken-over` when another execution has the record that fences this conversation. */
  readonly refuseUnlessOurs: () => Promise<void>;
  /** Returns the instructions of people that are newer than `since`, and whether the work is paused. Never throws. */
  readonly readNews: (since: number, signal: AbortSignal) => Promise<TaskNews>;
  /** Removes secrets from everything that is shown, stored or sent. */
  readonly redact: (text: string) => string;
}
