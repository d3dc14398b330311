import { createToolRegistry } from '../../../../activities/tools/built-in-tools.ts';
import type { MutatingTool } from '../../../../activities/tools/common/tool.ts';
import { toolNames } from '../../../../domain/executors/agent.ts';

export function mutatingTool(name: string): MutatingTool<unknown> {
  const tool = createToolRegistry().find(name, toolNames);
  if (typeof tool === 'string' || tool.kind !== 'mutates') throw new Error(`${name} changes nothing`);
  return tool;
}
