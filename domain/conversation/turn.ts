import type { ReplyPart } from './message.ts';
import type { LogEntryOf } from './entry.ts';

/** A tool call of a turn, with its own id. */
export interface ToolCall {
  /** `<turn>.<index>`, both from 1: it identifies a call, whatever the arguments are. `id` is the provider's. */
  callId: string;
  id: string;
  tool: string;
  /** The arguments as the model wrote them. */
  input: string;
  /** The reply was cut off in the middle of this call. */
  cut: boolean;
}

export function listToolCalls(
  n: number,
  parts: readonly ReplyPart[],
  finish?: LogEntryOf<'turn'>['finish'],
): ToolCall[] {
  const calls = parts.flatMap((part, at) =>
    part.type === 'call' ? [{ part, cut: finish === 'length' && at === parts.length - 1 }] : [],
  );
  return calls.map(({ part: { id, tool, input }, cut }, index) => ({
    callId: `${n}.${index + 1}`,
    id,
    tool,
    input,
    cut,
  }));
}

export const joinReplyText = (parts: readonly ReplyPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
