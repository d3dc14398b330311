import type { Usage } from '../../../domain/types/agent.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import type { ImageRef } from '../../../domain/conversation/image.ts';
import type { Message, ReplyPart, ToolSchema } from '../../../domain/conversation/message.ts';
import type { Asker } from '../../../domain/llm/model-call.ts';
import type { Model } from '../../../domain/types/llm.ts';

export type { Asker } from '../../../domain/llm/model-call.ts';
export type { ImageRef } from '../../../domain/conversation/image.ts';
export type { Message, ProviderNote, ReplyPart, ToolAnswer, ToolSchema } from '../../../domain/conversation/message.ts';

/** One request to one model: there is no second one inside. */
export interface ModelRequest {
  model: Model;
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSchema[];
  /** It is asked to think, in the way that the model's `thinking` says. */
  thinking: boolean;
  /** Tokens of the reply, without thinking. */
  maxOutput: number;
  /** Who asks: what a scripted provider chooses by. */
  asker: Asker;
  signal: AbortSignal;
  /** The bytes of an image that a result in `messages` refers to. Absent where none does. */
  readImage?: (image: ImageRef) => Promise<Uint8Array>;
  /** How the reply grows, while it streams: each new piece of text. */
  onText?: (text: string) => void;
}

export interface ModelReply {
  parts: ReplyPart[];
  /** Why it stopped. `length`: its last call may be cut off. */
  finish: 'stop' | 'calls' | 'length' | 'refusal' | 'other';
  usage: Usage;
  /** The provider did not count: `usage` is our own estimate. */
  estimated?: true;
  /** Milliseconds. */
  took: number;
}

/** A request that came to no reply. It never carries the prompt. Whether it passes stands in its category. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly failure: Failure;
  /** Milliseconds that the provider asked to wait. */
  readonly retryAfter: number | undefined;
  /** The provider may have worked and count it: a stream that was cut, a reply that nobody could read. */
  readonly mayCost: boolean;

  constructor(failure: Failure, told: { retryAfter?: number | undefined; mayCost?: boolean } = {}) {
    super(failure.summary);
    this.failure = failure;
    this.retryAfter = told.retryAfter;
    this.mayCost = told.mayCost ?? false;
  }
}

/** All models that a worker can reach. Throws a `ModelError` where there is no reply, and nothing else but an abort. */
export interface Models {
  call(request: ModelRequest): Promise<ModelReply>;
}

/**
 * A provider of the user's own, by the name that it has in `heddle.toml`: one request, one reply. It ends at once when `signal`
 * is aborted. What it throws that is no `ModelError` is read as a model's error: by `status`, `code` and `message`. How long it
 * took is measured here.
 */
export type ProviderCall = (request: ModelRequest) => Promise<Omit<ModelReply, 'took'>>;
