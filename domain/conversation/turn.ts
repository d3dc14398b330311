import type { ReplyPart } from './message.ts';
import type { LogEntryOf } from './entry.ts';

/** A tool call of a turn, by its place. */
export interface ToolCall {
  /** `<turn>.<index>`, both from 1: a call is known by it, not by its arguments. */
  place: string;
  id: string;
  tool: string;
  /** As the model wrote it. */
  input: string;
  /** The reply ended in the middle of it. */
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
    place: `${n}.${index + 1}`,
    id,
    tool,
    input,
    cut,
  }));
}

export const textOf = (parts: readonly ReplyPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
