import type { ToolName } from '../../domain/executors/agent.ts';
import type { ToolSchema } from '../models/model.ts';
import type { Tool } from '../tools/tool.ts';

/** Arguments that fit a tool's schema, or what to tell the model instead. */
export type ReadArguments = { kind: 'valid'; args: unknown } | { kind: 'invalid'; text: string };

/** The tools of this worker. */
export interface Toolbox {
  create(names: readonly ToolName[]): Tool[];
  schemas(tools: readonly Tool[]): ToolSchema[];
  /** What a model wrote as arguments of a tool: never repaired where the tool changes something. */
  read(tool: Tool, input: string): ReadArguments;
}
