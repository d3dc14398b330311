import type { Conversation } from '../conversation/conversation.ts';
import type { CompactedUpTo } from '../conversation/entry.ts';
import type { Exchange } from '../conversation/exchange.ts';
import type { Message } from '../conversation/message.ts';
import { computeDepth, compactExchange } from './compact-exchange.ts';

/** How far a conversation is compacted, and the text that replaces its merged turns. */
export interface CompactionState {
  upTo: CompactedUpTo;
  text: string;
}

const nothing: CompactionState = { upTo: { arguments: 0, outputs: 0, narrative: 0, merged: 0 }, text: '' };

/** The newest compaction in the log, so that an execution after a crash sends the same request. */
export const lastCompaction = ({ compactions }: Pick<Conversation, 'compactions'>): CompactionState =>
  compactions.at(-1) ?? nothing;

/** References to originals are shown only to a model that can read them. */
export const isReadable = ({ frame }: Pick<Conversation, 'frame'>): boolean =>
  frame.tools.some(({ name }) => name === 'read_file');

/** Builds the messages of a request: the task, the summary of merged turns, and the later turns at their depth. */
export function requestMessages(
  conversation: Pick<Conversation, 'frame'>,
  exchanges: readonly Exchange[],
  { upTo, text }: CompactionState,
): Message[] {
  const readable = isReadable(conversation);
  return [
    { from: 'user', text: conversation.frame.first },
    ...(text === '' ? [] : [{ from: 'user' as const, text }]),
    ...exchanges
      .filter(({ n }) => n > upTo.merged || (n === 0 && upTo.merged === 0))
      .flatMap((exchange) => compactExchange(exchange, computeDepth(exchange, upTo), readable)),
  ];
}
