import type { ToolName } from '../../domain/executors/agent.ts';
import type { ToolSchema } from '../llm/ports/model.ts';
import type { Arguments } from '../tools/common/read-arguments.ts';
import type { Tool } from '../tools/common/tool.ts';

/** The tools of this worker. */
export interface Toolbox {
  create(names: readonly ToolName[]): Tool[];
  schemas(tools: readonly Tool[]): ToolSchema[];
  /** What a model wrote as arguments of a tool: never repaired where the tool changes something. */
  read(tool: Tool, input: string): Arguments<unknown>;
}
