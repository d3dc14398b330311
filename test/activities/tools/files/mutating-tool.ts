import { createTools } from '../../../../activities/tools/create-tools.ts';
import type { MutatingTool } from '../../../../activities/tools/common/tool.ts';
import { toolNames } from '../../../../domain/executors/agent.ts';

export function mutatingTool(name: string): MutatingTool<unknown> {
  const tool = createTools(toolNames).find((one) => one.name === name);
  if (tool?.kind !== 'mutates') throw new Error(`${name} changes nothing`);
  return tool;
}
