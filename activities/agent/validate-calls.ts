import type { ToolCall } from '../../domain/conversation/turn.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { ToolRegistry } from '../tools/common/tool-registry.ts';
import type { Tool } from '../tools/common/tool.ts';

/** A call that may run, or a text for the model about a call that may not. */
export type ValidatedCall =
  | { call: ToolCall; tool: Tool; args: unknown }
  | { call: ToolCall; invalid: string; surplus?: true };

export interface AvailableTools {
  /** The tools that the frame of the conversation names. */
  names: readonly string[];
  registry: Pick<ToolRegistry, 'find' | 'read'>;
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

function validateCall(call: ToolCall, mayFinish: boolean, { names, registry }: AvailableTools): ValidatedCall {
  const tool = registry.find(call.tool, names);
  if (typeof tool === 'string') return { call, invalid: tool };
  if (call.cut)
    return { call, invalid: 'Your reply was cut off at its limit, inside this call. Send it again, shorter.' };
  // Nobody knows which of two reports holds.
  if (call.tool === 'finish' && !mayFinish)
    return { call, invalid: '`finish` must be the last call of a reply, and come once.' };
  const read = registry.read(tool, call.input);
  return read.kind === 'valid' ? { call, tool, args: read.args } : { call, invalid: read.text };
}
