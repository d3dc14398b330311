import type { ImageRef } from './image.ts';

/** A note that a provider wants back unchanged with a part of its own reply, such as a signature of thinking. It is JSON. */
export type ProviderNote = Record<string, unknown>;

/** A part of what a model said. */
export type ReplyPart =
  | { type: 'text'; text: string; note?: ProviderNote }
  | { type: 'thinking'; text: string; note?: ProviderNote }
  /** `input` is what the model wrote: text that may or may not be JSON. */
  | { type: 'call'; id: string; tool: string; input: string; note?: ProviderNote };

/** One step of a conversation. JSON, since it is kept. Every call of a model's step is answered by the next step. */
export type Message =
  | { from: 'user'; text: string }
  | { from: 'model'; parts: ReplyPart[] }
  | { from: 'tools'; results: ToolAnswer[] };

/** The result of a tool call, for the model. */
export interface ToolAnswer {
  /** The id of the call. */
  id: string;
  tool: string;
  text: string;
  isError: boolean;
  /** An image, for a model that sees. */
  image?: ImageRef;
}

export interface ToolSchema {
  name: string;
  description: string;
  /** JSON schema of its arguments. */
  input: Record<string, unknown>;
}
