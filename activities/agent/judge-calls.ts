import type { Call } from '../../domain/conversation/turn.ts';
import { activityLimits } from '../limits.ts';
import { findTool } from '../tools/read-arguments.ts';
import type { Tool } from '../tools/tool.ts';
import type { Toolbox } from './toolbox.ts';

/** A call that may run, or what to tell the model about one that may not. */
export type Judged = { call: Call; tool: Tool; args: unknown } | { call: Call; invalid: string };

export interface Given {
  tools: readonly Tool[];
  toolbox: Pick<Toolbox, 'read'>;
}

/** Known name, whole and valid arguments; `finish` comes last. Nothing has run yet. */
export function judgeCalls(calls: readonly Call[], given: Given): Judged[] {
  return calls.map((call, index) => judge(call, index, calls.length, given));
}

function judge(call: Call, index: number, count: number, { tools, toolbox }: Given): Judged {
  const { callsPerTurn } = activityLimits.agent;
  if (index >= callsPerTurn) return { call, invalid: `Too many calls in one reply; at most ${callsPerTurn} run.` };
  const tool = findTool(tools, call.tool);
  if (typeof tool === 'string') return { call, invalid: tool };
  if (call.cut)
    return { call, invalid: 'Your reply was cut off at its limit, inside this call. Send it again, shorter.' };
  if (call.tool === 'finish' && index < count - 1) {
    return { call, invalid: '`finish` must be the last call of a reply, and come once.' };
  }
  const read = toolbox.read(tool, call.input);
  return read.kind === 'valid' ? { call, tool, args: read.args } : { call, invalid: read.text };
}
