import type { Conversation } from '../conversation/conversation.ts';
import type { CompactedUpTo } from '../conversation/entry.ts';
import type { Exchange } from '../conversation/exchange.ts';
import type { Message } from '../conversation/message.ts';
import { computeDepth, compactExchange } from './compact-exchange.ts';

/** How far a conversation is folded, and what stands for its merged turns. */
export interface CompactionState {
  upTo: CompactedUpTo;
  text: string;
}

const nothing: CompactionState = { upTo: { arguments: 0, outputs: 0, narrative: 0, merged: 0 }, text: '' };

/** By the marks in the log alone: whoever goes on after a crash sends the same. */
export const lastCompaction = ({ folds }: Pick<Conversation, 'folds'>): CompactionState => folds.at(-1) ?? nothing;

/** Originals are told of only to a model that can read them. */
export const isReadable = ({ frame }: Pick<Conversation, 'frame'>): boolean =>
  frame.tools.some(({ name }) => name === 'read_file');

/** All that a request says: the task, the summary of what was merged, and the turns since, each as far as it is folded. */
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
