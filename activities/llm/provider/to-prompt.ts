import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import * as z from 'zod';

import { introduce, showResults, type Images, type LoadedImage, type ShownResult } from './load-images.ts';
import type { Message, ModelRequest, ProviderNote, ReplyPart, ToolSchema } from '../ports/model.ts';

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];
type ToolPart = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number];

/** The place where an API takes images: the result of a call, or only a message of the user. */
export type ImagePlace = 'result' | 'user';

/** A conversation of ours as the providers' code takes it. */
export function toPrompt(
  { system, messages }: Pick<ModelRequest, 'system' | 'messages'>,
  images: Images,
  place: ImagePlace,
): LanguageModelV4Prompt {
  const instructions: LanguageModelV4Prompt = system === '' ? [] : [{ role: 'system', content: system }];
  return [...instructions, ...messages.flatMap((message) => toMessage(message, images, place))];
}

function toMessage(message: Message, images: Images, place: ImagePlace): LanguageModelV4Message[] {
  switch (message.from) {
    case 'user':
      return [{ role: 'user', content: [{ type: 'text', text: message.text }] }];
    case 'model': {
      const content = message.parts.flatMap(toPart);
      // A reply that said nothing is no message: providers refuse empty ones.
      return content.length === 0 ? [] : [{ role: 'assistant', content }];
    }
    case 'tools': {
      const results = showResults(message.results, images);
      const content = results.map((result) => toResult(result, place));
      return [{ role: 'tool', content }, ...(place === 'user' ? toImageMessage(results) : [])];
    }
  }
}

function toResult(result: ShownResult, place: ImagePlace): ToolPart {
  const { id, tool, text, isError, shown } = result;
  const about = { type: 'tool-result', toolCallId: id, toolName: tool } as const;
  if (shown === undefined || place === 'user')
    return { ...about, output: { type: isError ? 'error-text' : 'text', value: text } };
  return { ...about, output: { type: 'content', value: [{ type: 'text', text }, toFile(shown)] } };
}

/** All images of a turn, behind all its results, which must follow their calls at once. */
function toImageMessage(results: readonly ShownResult[]): LanguageModelV4Message[] {
  const content = results.flatMap((result) =>
    result.shown === undefined ? [] : [{ type: 'text' as const, text: introduce(result) }, toFile(result.shown)],
  );
  return content.length === 0 ? [] : [{ role: 'user', content }];
}

const toFile = ({ type, base64 }: LoadedImage): LanguageModelV4FilePart => ({
  type: 'file',
  mediaType: type,
  data: { type: 'data', data: base64 },
});

function toPart(part: ReplyPart): AssistantPart[] {
  const options = part.note === undefined ? {} : { providerOptions: toOptions(part.note) };
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text, ...options }];
    case 'thinking':
      return part.text === '' && part.note === undefined ? [] : [{ type: 'reasoning', text: part.text, ...options }];
    case 'call':
      return [{ type: 'tool-call', toolCallId: part.id, toolName: part.tool, input: toInput(part.input), ...options }];
  }
}

/** Providers take only an object for arguments. What the model wrote stays readable in it, also where that is no object. */
function toInput(written: string): unknown {
  return parseArguments(written) === undefined ? { unreadable: written } : written.trim() === '' ? '{}' : written;
}

/** The arguments that a model wrote, where they are an object. */
export function parseArguments(written: string): object | undefined {
  if (written.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const optionsSchema: z.ZodType<SharedV4ProviderOptions> = z.record(z.string(), z.record(z.string(), z.json()));

/** A note is what a provider gave as metadata, by its name: it goes back as it came. Another provider looks for its own name only. */
function toOptions(note: ProviderNote): SharedV4ProviderOptions {
  return optionsSchema.safeParse(JSON.parse(JSON.stringify(note))).data ?? {};
}

export function toTools(tools: readonly ToolSchema[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, input }) => ({ type: 'function', name, description, inputSchema: input }));
}
