import type { ToolCall } from '../../domain/conversation/turn.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { findTool } from '../tools/common/read-arguments.ts';
import type { Tool } from '../tools/common/tool.ts';
import type { Toolbox } from './toolbox.ts';

/** A call that may run, or what to tell the model about one that may not. */
export type ValidatedCall =
  | { call: ToolCall; tool: Tool; args: unknown }
  | { call: ToolCall; invalid: string; surplus?: true };

export interface AvailableTools {
  tools: readonly Tool[];
  toolbox: Pick<Toolbox, 'read'>;
}

/** Known name, whole and valid arguments; `finish` comes last and once. Nothing has run yet. */
export function validateCalls(calls: readonly ToolCall[], given: AvailableTools): ValidatedCall[] {
  const { callsPerTurn } = activityLimits.agent;
  const reports = calls.filter(({ tool }) => tool === 'finish').length;
  return calls.map((call, index) => {
    if (index >= callsPerTurn)
      return { call, invalid: `Not run: at most ${callsPerTurn} calls run in one reply.`, surplus: true };
    const isLast = index === calls.length - 1;
    return validateCall(call, reports === 1 && isLast, given);
  });
}

function validateCall(call: ToolCall, mayFinish: boolean, { tools, toolbox }: AvailableTools): ValidatedCall {
  const tool = findTool(tools, call.tool);
  if (typeof tool === 'string') return { call, invalid: tool };
  if (call.cut)
    return { call, invalid: 'Your reply was cut off at its limit, inside this call. Send it again, shorter.' };
  // Of two reports nobody knows which one holds.
  if (call.tool === 'finish' && !mayFinish)
    return { call, invalid: '`finish` must be the last call of a reply, and come once.' };
  const read = toolbox.read(tool, call.input);
  return read.kind === 'valid' ? { call, tool, args: read.args } : { call, invalid: read.text };
}
