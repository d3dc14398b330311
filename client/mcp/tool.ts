import type { z } from 'zod';
import type { Identity, Role } from '../http/identity.ts';
import type { ApiAnswer, ApiRequest } from './call-api.ts';

/** One tool's call, with the person behind it. */
export interface ToolCall<Args> {
  args: Args;
  identity: Identity;
  /** Asks the API; throws `ToolRefusal` where it refuses. */
  ask: (request: ApiRequest) => Promise<ApiAnswer>;
  /** Aborted when the client no longer waits. */
  signal: AbortSignal;
}

export interface ToolResult {
  /** The result for a model to read. */
  text: string;
  /** The same as data. */
  data: Record<string, unknown>;
}

interface ToolRow<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  role: Role;
  input: Input;
  output: Output;
  /** Undefined for a tool that changes nothing. */
  changes?: 'adds' | 'ends';
  run(call: ToolCall<z.output<Input>>): Promise<ToolResult>;
}

/** A tool without its own types: the client's arguments are checked by its schema when it runs. */
export interface Tool extends Omit<ToolRow<z.ZodObject, z.ZodObject>, 'run'> {
  run(call: ToolCall<unknown>): Promise<ToolResult>;
}

export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(row: ToolRow<Input, Output>): Tool {
  return { ...row, run: (call) => row.run({ ...call, args: row.input.parse(call.args) }) };
}

/** A refusal of the API, as a model should read it. */
export class ToolRefusal extends Error {}

/** The parts of a path, encoded. */
export const pathOf = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

/** An answer that is one JSON object: as text and as data. */
export function describeJson({ json, text }: ApiAnswer): ToolResult {
  return { text, data: toRecord(json) };
}

export const toRecord = (json: unknown): Record<string, unknown> =>
  typeof json === 'object' && json !== null ? Object.fromEntries(Object.entries(json)) : {};
