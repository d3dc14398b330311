import type { ToolOrigin } from '../types/basic/tool-server.ts';
import type { ImageRef } from './image.ts';

/** Data that a provider wants back unchanged with a part of its own reply, such as signatures of thinking. JSON. */
export type ProviderNote = Record<string, unknown>;

/** A part of a model's reply. */
export type ReplyPart =
  | { type: 'text'; text: string; note?: ProviderNote }
  | { type: 'thinking'; text: string; note?: ProviderNote }
  /** `input` is the text that the model wrote, which may not be valid JSON. */
  | { type: 'call'; id: string; tool: string; input: string; note?: ProviderNote };

/** One message of a conversation. JSON, since it is stored. Every call of a model's message has its result in the next one. */
export type Message =
  | { from: 'user'; text: string }
  | { from: 'model'; parts: ReplyPart[] }
  | { from: 'tools'; results: ToolResult[] };

/** The result of a tool call, for the model. */
export interface ToolResult {
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
  /** Set for a tool of a server: a conversation resumes without it. No model is sent this. */
  from?: ToolOrigin;
}
