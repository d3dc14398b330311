import { estimateTokenCount } from 'tokenx';

import type { EntryOf } from '../../domain/conversation/entry.ts';
import { imageTokens } from '../../domain/conversation/image.ts';
import { tokensOf } from '../../domain/conversation/spending.ts';
import type { Usage } from '../../domain/model/agent.ts';
import type { Message } from '../models/model.ts';

/** What the form of a message costs besides its text. */
const perMessage = 4;

/** Estimates how large a request is. Messages never change: each is looked at once. */
export class TokenMeter {
  readonly #known = new WeakMap<Message, number>();

  /** System text, schemas and all messages. What a provider counted for the last turn is believed where it is more. */
  request(
    { system, tools }: Pick<EntryOf<'frame'>, 'system' | 'tools'>,
    messages: readonly Message[],
    last: Usage = { input: 0, output: 0, cached: 0, reasoning: 0 },
  ): number {
    const fixed = estimateTokenCount(system) + estimateTokenCount(JSON.stringify(tools));
    const told = messages.findLastIndex(({ from }) => from === 'model') + 1;
    return Math.max(fixed + this.#all(messages), tokensOf(last) + this.#all(messages.slice(told)));
  }

  #all(messages: readonly Message[]): number {
    return messages.reduce((sum, message) => sum + this.#message(message), 0);
  }

  #message(message: Message): number {
    const known = this.#known.get(message);
    if (known !== undefined) return known;
    const tokens = perMessage + estimateTokenCount(textIn(message)) + imagesIn(message);
    this.#known.set(message, tokens);
    return tokens;
  }
}

const imagesIn = (message: Message): number =>
  message.from !== 'tools'
    ? 0
    : message.results.reduce((sum, { image }) => sum + (image === undefined ? 0 : imageTokens(image)), 0);

function textIn(message: Message): string {
  switch (message.from) {
    case 'user':
      return message.text;
    case 'tools':
      return message.results.map(({ tool, text }) => `${tool}\n${text}`).join('\n');
    case 'model':
      return message.parts.map((part) => (part.type === 'call' ? `${part.tool}\n${part.input}` : part.text)).join('\n');
  }
}
