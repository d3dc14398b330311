import type { Usage } from '../../domain/model/agent.ts';
import type { Failure } from '../../domain/model/failure.ts';
import type { Message, ReplyPart, ToolSchema } from '../../domain/conversation/message.ts';
import type { Model, ModelRole } from '../../domain/model/models.ts';

export type { Message, ProviderNote, ReplyPart, ToolAnswer, ToolSchema } from '../../domain/conversation/message.ts';

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
  /** How the reply grows, while it streams. */
  onText?: (text: string) => void;
}

/** Turns count from 1. */
export interface Asker {
  task: string;
  role: ModelRole;
  subtask?: string;
  attempt?: number;
  turn: number;
}

export interface ModelReply {
  parts: ReplyPart[];
  /** Why it stopped. `length`: its last call may be cut off. */
  finish: 'stop' | 'calls' | 'length' | 'refusal' | 'other';
  usage: Usage;
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
  mayCost = false;

  constructor(failure: Failure, retryAfter?: number) {
    super(failure.summary);
    this.failure = failure;
    this.retryAfter = retryAfter;
  }
}

/** All models that a worker can reach. Throws a `ModelError` where there is no reply, and nothing else but an abort. */
export interface Models {
  call(request: ModelRequest): Promise<ModelReply>;
}
