import type { Usage } from '../../../domain/types/agent.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import type { ImageRef } from '../../../domain/conversation/image.ts';
import type { Message, ReplyPart, ToolSchema } from '../../../domain/conversation/message.ts';
import type { Asker } from '../../../domain/llm/model-call.ts';
import type { Model } from '../../../domain/types/llm.ts';

export type { Asker } from '../../../domain/llm/model-call.ts';
export type { ImageRef } from '../../../domain/conversation/image.ts';
export type { Message, ProviderNote, ReplyPart, ToolResult, ToolSchema } from '../../../domain/conversation/message.ts';

/**
 * One request to one model. A provider sends it once and retries nothing by itself.
 *
 * @example
 * ```ts
 * const ask: ProviderCall = async ({ model, messages, signal }) => myModel(model.id, messages, signal);
 * ```
 */
export interface ModelRequest {
  model: Model;
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSchema[];
  /** It is asked to think, in the way that the model's `thinking` says. */
  thinking: boolean;
  /** Tokens of the reply, without thinking. */
  maxOutput: number;
  /** The asker, by which a scripted provider chooses its reply. */
  asker: Asker;
  signal: AbortSignal;
  /** The bytes of an image that a result in `messages` refers to. Absent where none does. */
  readImage?: (image: ImageRef) => Promise<Uint8Array>;
  /** How the reply grows, while it streams: each new piece of text. */
  onText?: (text: string) => void;
}

/**
 * The reply of a model.
 *
 * @example
 * ```ts
 * const reply: Omit<ModelReply, 'took'> = { parts: [{ type: 'text', text: 'done' }], finish: 'stop', usage: { input: 10, output: 2, cached: 0, reasoning: 0 } };
 * ```
 */
export interface ModelReply {
  parts: ReplyPart[];
  /** Why it stopped. `length`: its last call may be cut off. */
  finish: 'stop' | 'calls' | 'length' | 'refusal' | 'other';
  usage: Usage;
  /** The provider did not count: `usage` is our own estimate. */
  estimated?: true;
  /** USD, where the provider itself reports the cost. Absent: the price of the model decides. */
  costUsd?: number;
  /** Milliseconds. */
  took: number;
}

/**
 * A request without a reply. It never carries the prompt. The failure's category says whether another try can help.
 *
 * @example
 * ```ts
 * throw new ModelError(failure, { retryAfter: 2_000 });
 * ```
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly failure: Failure;
  /** Milliseconds that the provider asked to wait. */
  readonly retryAfter: number | undefined;
  /** The provider may have worked and count it: a stream that was cut, a reply that nobody could read. */
  readonly mayCost: boolean;

  constructor(failure: Failure, details: { retryAfter?: number | undefined; mayCost?: boolean } = {}) {
    super(failure.summary);
    this.failure = failure;
    this.retryAfter = details.retryAfter;
    this.mayCost = details.mayCost ?? false;
  }
}

/** All models that a worker can reach. Throws a `ModelError` where there is no reply, and nothing else but an abort. */
export interface Models {
  call(request: ModelRequest): Promise<ModelReply>;
}

/**
 * A provider of models in code of your own, by its name in `heddle.toml`: one request, one reply. It must end at once when `signal` is
 * aborted. An error that is no `ModelError` is classified by its `status`, `code` and `message`. Heddle measures the time itself.
 *
 * @example
 * ```ts
 * createHeddleActivities({ connection, providers: { mine: async (request) => askMyModel(request) } });
 * ```
 */
export type ProviderCall = (request: ModelRequest) => Promise<Omit<ModelReply, 'took'>>;
