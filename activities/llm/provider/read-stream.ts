import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';

import type { ReplyPart } from '../ports/model.ts';

/** A reply as it was read, whole. */
export interface ReadReply {
  parts: ReplyPart[];
  finish: LanguageModelV4FinishReason['unified'];
  usage: LanguageModelV4Usage;
}

/** The service sent an error inside its reply. What it sent is read by `explainErrorPart`, and goes no further. */
export class ErrorPart extends Error {
  override readonly name = 'ErrorPart';
  readonly value: unknown;

  constructor(value: unknown) {
    super('an error inside a reply');
    this.value = value;
  }
}

/**
 * Reads a stream to its end. Whatever came before an error, or before an end without a finish, is not returned: a tool call that
 * looks complete may be half of what the model meant. Undefined: there is no whole reply.
 */
export async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onText?: (text: string) => void,
): Promise<ReadReply | undefined> {
  const reply = new GrowingReply();
  let finish: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined;
  for await (const part of stream) {
    if (part.type === 'error') throw new ErrorPart(part.error);
    if (part.type === 'finish') finish = part;
    else reply.add(part);
    if (part.type === 'text-delta' && part.delta !== '') onText?.(part.delta);
  }
  if (finish === undefined) return undefined;
  return { parts: reply.parts(), finish: finish.finishReason.unified, usage: finish.usage };
}

interface GrowingPart {
  part: ReplyPart;
  metadata: SharedV4ProviderMetadata | undefined;
}

/** Blocks in the order in which they began. */
class GrowingReply {
  readonly #order: GrowingPart[] = [];
  readonly #open = new Map<string, GrowingPart>();

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
        this.#begin(part.id, { type: 'text', text: '' }, part.providerMetadata);
        break;
      case 'reasoning-start':
        this.#begin(part.id, { type: 'thinking', text: '' }, part.providerMetadata);
        break;
      case 'text-delta':
      case 'reasoning-delta':
        this.#grow(part.id, part.delta, part.providerMetadata);
        break;
      case 'text-end':
      case 'reasoning-end':
        this.#grow(part.id, '', part.providerMetadata);
        break;
      case 'tool-call':
        this.#order.push({ part: toCall(part), metadata: part.providerMetadata });
        break;
      default:
        // Pieces of a call's input come whole with the call; sources, files and the like are not asked for.
        break;
    }
  }

  parts(): ReplyPart[] {
    return this.#order.map(({ part, metadata }) => withNote(part, metadata)).filter(hasContent);
  }

  #begin(id: string, part: ReplyPart, metadata: SharedV4ProviderMetadata | undefined): void {
    const growing = { part, metadata };
    this.#open.set(id, growing);
    this.#order.push(growing);
  }

  #grow(id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const growing = this.#open.get(id);
    if (growing === undefined) return;
    if (growing.part.type !== 'call') growing.part.text += delta;
    growing.metadata = mergeMetadata(growing.metadata, metadata);
  }
}

/** The content of a reply that came at once. */
export function readContent(content: readonly LanguageModelV4Content[]): ReplyPart[] {
  return content.flatMap((item) => toParts(item)).filter(hasContent);
}

function toParts(item: LanguageModelV4Content): ReplyPart[] {
  switch (item.type) {
    case 'text':
      return [withNote({ type: 'text', text: item.text }, item.providerMetadata)];
    case 'reasoning':
      return [withNote({ type: 'thinking', text: item.text }, item.providerMetadata)];
    case 'tool-call':
      return [withNote(toCall(item), item.providerMetadata)];
    default:
      return [];
  }
}

const toCall = (call: { toolCallId: string; toolName: string; input: string }): ReplyPart => ({
  type: 'call',
  id: call.toolCallId,
  tool: call.toolName,
  input: call.input,
});

const hasContent = (part: ReplyPart): boolean =>
  part.type === 'call' || part.text !== '' || (part.type === 'thinking' && part.note !== undefined);

/** Empty metadata does not count. */
function withNote(part: ReplyPart, metadata: SharedV4ProviderMetadata | undefined): ReplyPart {
  const note = Object.fromEntries(
    Object.entries(metadata ?? {}).filter(([, value]) => Object.values(value).some((entry) => entry !== undefined)),
  );
  return Object.keys(note).length === 0 ? part : { ...part, note };
}

/** A signature may come at the start, with a piece, or at the end of a block. */
function mergeMetadata(
  before: SharedV4ProviderMetadata | undefined,
  more: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (more === undefined) return before;
  const merged = { ...before };
  for (const [name, value] of Object.entries(more)) merged[name] = { ...merged[name], ...value };
  return merged;
}
