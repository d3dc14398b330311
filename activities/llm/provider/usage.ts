import { estimateTokenCount } from 'tokenx';

import { imageTokens } from '../../../domain/conversation/image.ts';
import type { Usage } from '../../../domain/types/agent.ts';
import type { Message, ModelReply, ModelRequest, ReplyPart } from '../ports/model.ts';

/** Tokens as a provider counts them; undefined where it does not. */
export interface CountedTokens {
  input: number | undefined;
  output: number | undefined;
  cached: number | undefined;
  reasoning: number | undefined;
}

/** The provider's count, or our estimate where it has none that can be true: a call is never free. */
export function settleUsage(
  counted: CountedTokens,
  request: Pick<ModelRequest, 'model' | 'system' | 'messages' | 'tools'>,
  parts: readonly ReplyPart[],
): Pick<ModelReply, 'usage' | 'estimated'> {
  const { context } = request.model;
  const input = validCount(counted.input, context);
  const output = validCount(counted.output, context);
  // A request has tokens: a zero is a server that does not count.
  const isCounted = input !== undefined && input > 0 && output !== undefined;
  const usage: Usage = {
    input: isCounted ? input : estimateRequest(request),
    output: isCounted ? output : estimateParts(parts),
    cached: validCount(counted.cached, context) ?? 0,
    reasoning: validCount(counted.reasoning, context) ?? 0,
  };
  const bounded = {
    ...usage,
    cached: Math.min(usage.cached, usage.input),
    reasoning: Math.min(usage.reasoning, usage.output),
  };
  return isCounted ? { usage: bounded } : { usage: bounded, estimated: true };
}

/** A request has no more tokens than fit into the model's context window: a count above that is dropped. */
const validCount = (count: number | undefined, window: number): number | undefined =>
  count !== undefined && count >= 0 && count <= window ? Math.round(count) : undefined;

export const soundAmount = (value: number): number => (Number.isFinite(value) && value > 0 ? Math.round(value) : 0);

function estimateRequest({ system, messages, tools }: Pick<ModelRequest, 'system' | 'messages' | 'tools'>): number {
  const texts = [system, ...messages.map(readText), ...(tools.length === 0 ? [] : [JSON.stringify(tools)])];
  const shown = messages.flatMap((message) => (message.from === 'tools' ? message.results : []));
  const seen = shown.reduce((sum, { image }) => sum + (image === undefined ? 0 : imageTokens(image)), 0);
  return texts.reduce((sum, text) => sum + estimateTokenCount(text), seen);
}

const estimateParts = (parts: readonly ReplyPart[]): number => estimateTokenCount(parts.map(textOfPart).join('\n'));

const textOfPart = (part: ReplyPart): string => (part.type === 'call' ? `${part.tool} ${part.input}` : part.text);

function readText(message: Message): string {
  switch (message.from) {
    case 'user':
      return message.text;
    case 'model':
      return message.parts.map(textOfPart).join('\n');
    case 'tools':
      return message.results.map(({ text }) => text).join('\n');
  }
}
