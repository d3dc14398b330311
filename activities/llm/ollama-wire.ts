import * as z from 'zod';

import { introduce, showResults, type Images, type ShownResult } from './provider/load-images.ts';
import type { Message, ModelReply, ModelRequest, ReplyPart } from './ports/model.ts';
import { chooseThinkingTokens } from './provider/thinking.ts';
import { parseArguments } from './provider/to-prompt.ts';

/** A call's id, where the server gives none: told apart by its place in the conversation. */
const callSchema = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({
    name: z.string(),
    arguments: z.union([z.record(z.string(), z.unknown()), z.string()]).nullish(),
  }),
});

/** One line of a stream, or the whole reply. */
export const chunkSchema = z.looseObject({
  message: z
    .looseObject({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z.array(callSchema).nullish(),
    })
    .nullish(),
  done: z.boolean().nullish(),
  done_reason: z.string().nullish(),
  prompt_eval_count: z.number().nullish(),
  eval_count: z.number().nullish(),
  error: z.unknown().optional(),
});

export type OllamaChunk = z.infer<typeof chunkSchema>;

export function toOllamaBody(request: ModelRequest, images: Images): object {
  const { model, system, messages, tools, thinking, maxOutput } = request;
  const instructions = system === '' ? [] : [{ role: 'system', content: system }];
  return {
    model: model.id,
    messages: [...instructions, ...messages.flatMap((message) => toOllamaMessage(message, images))],
    ...(tools.length === 0 ? {} : { tools: tools.map(toOllamaTool) }),
    stream: model.stream,
    // Without a word a model that can think does: it is told not to.
    ...(model.thinking === 'off' ? {} : { think: thinking && (model.thinking === 'effort' ? 'high' : true) }),
    // Without it the server cuts what is above its own default, and says nothing.
    options: { num_ctx: model.context, num_predict: maxOutput + chooseThinkingTokens(model, thinking) },
  };
}

const toOllamaTool = ({ name, description, input }: ModelRequest['tools'][number]): object => ({
  type: 'function',
  function: { name, description, parameters: input },
});

function toOllamaMessage(message: Message, images: Images): object[] {
  switch (message.from) {
    case 'user':
      return [{ role: 'user', content: message.text }];
    case 'model':
      return message.parts.length === 0 ? [] : [toAssistant(message.parts)];
    case 'tools': {
      const results = showResults(message.results, images);
      return [
        ...results.map(({ tool, text }) => ({ role: 'tool', tool_name: tool, content: text })),
        ...toImageMessage(results),
      ];
    }
  }
}

/** Models are made to see what a user shows them. */
function toImageMessage(results: readonly ShownResult[]): object[] {
  const shown = results.flatMap((result) => (result.shown === undefined ? [] : [{ result, image: result.shown }]));
  if (shown.length === 0) return [];
  const content = shown.map(({ result }) => introduce(result)).join('\n');
  return [{ role: 'user', content, images: shown.map(({ image }) => image.base64) }];
}

function toAssistant(parts: readonly ReplyPart[]): object {
  const joined = (type: 'text' | 'thinking'): string =>
    parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'call'
      ? [{ function: { name: part.tool, arguments: parseArguments(part.input) ?? { unreadable: part.input } } }]
      : [],
  );
  const thinking = joined('thinking');
  return {
    role: 'assistant',
    content: joined('text'),
    ...(thinking === '' ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** Joins the pieces of a reply once the last of them says that it is done. */
export function fromOllama(chunks: readonly OllamaChunk[], firstCall: number): Pick<ModelReply, 'parts' | 'finish'> {
  const text = chunks.map(({ message }) => message?.content ?? '').join('');
  const thinking = chunks.map(({ message }) => message?.thinking ?? '').join('');
  const calls = chunks.flatMap(({ message }) => message?.tool_calls ?? []);
  const parts: ReplyPart[] = [
    ...(thinking === '' ? [] : [{ type: 'thinking' as const, text: thinking }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, function: called }, index) => ({
      type: 'call' as const,
      id: id ?? `call_${firstCall + index}`,
      tool: called.name,
      input: typeof called.arguments === 'string' ? called.arguments : JSON.stringify(called.arguments ?? {}),
    })),
  ];
  const reason = chunks.at(-1)?.done_reason ?? 'stop';
  if (reason === 'length') return { parts, finish: 'length' };
  if (reason !== 'stop') return { parts, finish: 'other' };
  return { parts, finish: calls.length > 0 ? 'calls' : 'stop' };
}
