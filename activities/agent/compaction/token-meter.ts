import { estimateTokenCount } from 'tokenx';

import type { Conversation } from '../../../domain/conversation/conversation.ts';
import type { LogEntryOf } from '../../../domain/conversation/entry.ts';
import { imageTokens } from '../../../domain/conversation/image.ts';
import type { Message } from '../../../domain/conversation/message.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';

/** Tokens that the form of a message, and of each part of it, costs besides its text. */
const perForm = 4;

type Frame = Pick<LogEntryOf<'frame'>, 'system' | 'tools'>;

/** Estimates how large a request is. Neither its frame nor a message ever changes: each is looked at once. */
export class TokenMeter {
  readonly #known = new WeakMap<Message | Frame, number>();

  /**
   * Counts system text, schemas and all messages. The provider's count of the last turn is used when it is higher than ours, and new
   * messages are scaled by the same factor; after a compaction, all messages are.
   */
  request({ frame, last, compactions: folds, turns }: Measured, messages: readonly Message[]): number {
    const estimate = this.frame(frame) + this.messages(messages);
    const fold = folds.at(-1);
    if (fold !== undefined && fold.n === turns) return Math.ceil(estimate * fold.scale);
    if (last === undefined) return estimate;
    const replyIndex = messages.findLastIndex(({ from }) => from === 'model');
    const counted = this.frame(frame) + this.messages(messages.slice(0, replyIndex));
    const worth = Math.min(limits.context.underestimate, Math.max(1, last.usage.input / counted));
    const replyTokens = Math.max(last.usage.output, worth * this.messages(messages.slice(replyIndex, replyIndex + 1)));
    return Math.ceil(
      Math.max(estimate, last.usage.input + replyTokens + worth * this.messages(messages.slice(replyIndex + 1))),
    );
  }

  /** Tokens that every request carries besides its messages. */
  frame(frame: Frame): number {
    return this.#once(frame, () => estimateTokenCount(frame.system) + estimateTokenCount(JSON.stringify(frame.tools)));
  }

  messages(messages: readonly Message[]): number {
    return messages.reduce((sum, message) => sum + this.#message(message), 0);
  }

  text(text: string): number {
    return estimateTokenCount(text);
  }

  #message(message: Message): number {
    return this.#once(message, () => {
      const texts = textsIn(message);
      return perForm * (texts.length + 1) + estimateTokenCount(texts.join('\n')) + imagesIn(message);
    });
  }

  #once(thing: Message | Frame, measure: () => number): number {
    const tokens = this.#known.get(thing) ?? measure();
    this.#known.set(thing, tokens);
    return tokens;
  }
}

type Measured = Pick<Conversation, 'frame' | 'last' | 'compactions' | 'turns'>;

const imagesIn = (message: Message): number =>
  message.from !== 'tools'
    ? 0
    : message.results.reduce((sum, { image }) => sum + (image === undefined ? 0 : imageTokens(image)), 0);

/** By parts. The ids that tie a call to its result are sent too. */
function textsIn(message: Message): string[] {
  switch (message.from) {
    case 'user':
      return [message.text];
    case 'tools':
      return message.results.map(({ id, tool, text }) => `${id}\n${tool}\n${text}`);
    case 'model':
      return message.parts.map((part) =>
        part.type === 'call' ? `${part.id}\n${part.tool}\n${part.input}` : part.text,
      );
  }
}
