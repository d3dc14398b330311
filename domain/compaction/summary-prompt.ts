import type { Exchange } from '../conversation/exchange.ts';
import type { Message } from '../conversation/message.ts';
import { limits } from '../limits/domain-limits.ts';
import { clip } from '../text/text.ts';
import { compactExchange } from './compact-exchange.ts';
import type { ModelSummary } from './summary.ts';

export interface SummaryRequest {
  /** The task. */
  first: string;
  told: ModelSummary | undefined;
  /** Those that are merged now and that the earlier summary does not tell. */
  exchanges: readonly Exchange[];
  /** Characters of it all: what is too long is told by the beginnings of its turns. */
  most: number;
}

/** What a model that summarises is shown. It sees no tools and nothing of the turns that stay. */
export function summaryRequest({ first, told, exchanges, most }: SummaryRequest): string {
  const task = clip(first, Math.floor(most / 4));
  const before = clip(told?.text ?? '', Math.floor(most / 4));
  const each = Math.min(limits.context.toldTurn, Math.floor(most / 2 / Math.max(1, exchanges.length)));
  return [
    `<task>\n${task}\n</task>`,
    ...(before === '' ? [] : [`<earlier_summary>\n${before}\n</earlier_summary>`]),
    `<conversation>\n${exchanges.map((exchange) => clip(formatExchange(exchange), each)).join('\n')}\n</conversation>`,
  ].join('\n\n');
}

const deepest = { arguments: true, outputs: true, narrative: true } as const;

function formatExchange(exchange: Exchange): string {
  const messages = compactExchange(exchange, deepest, false);
  return [`[turn ${exchange.n}]`, ...messages.flatMap((message) => formatMessage(message, exchange))].join('\n');
}

function formatMessage(message: Message, { calls, answers }: Exchange): string[] {
  switch (message.from) {
    case 'user':
      return [message.text];
    case 'model': {
      let at = -1;
      return message.parts.map((part) => {
        if (part.type !== 'call') return part.text;
        at += 1;
        return `call ${calls[at]?.callId ?? ''} ${part.tool} ${part.input}`;
      });
    }
    case 'tools':
      return message.results.map(
        ({ text, isError }, index) => `${isError ? 'error' : 'result'} of ${answers[index]?.call ?? ''}: ${text}`,
      );
  }
}
