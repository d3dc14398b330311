import type { LoggedResult, LogEntryOf, TurnInput, Remark } from './entry.ts';
import type { ReplyPart } from './message.ts';
import type { ToolCall } from './turn.ts';

/** A turn and its results, none of which change any more. Number 0 is the exchange before the first turn, which has no reply. */
export interface Exchange {
  n: number;
  parts: readonly ReplyPart[];
  calls: readonly ToolCall[];
  /** The results in the order of the calls. */
  answers: readonly LoggedResult[];
  remarks: readonly Remark[];
}

interface Turn extends Pick<LogEntryOf<'turn'>, 'n' | 'parts'> {
  calls: readonly ToolCall[];
  answers: ReadonlyMap<string, LoggedResult>;
}

export function buildExchange(turn: Turn | undefined, { answers, remarks }: TurnInput): Exchange {
  if (turn === undefined) return { n: 0, parts: [], calls: [], answers: [], remarks };
  const answersByCall = new Map([...turn.answers, ...answers.map((answer) => [answer.call, answer] as const)]);
  return {
    n: turn.n,
    parts: turn.parts,
    calls: turn.calls,
    answers: turn.calls.flatMap(({ callId }) => answersByCall.get(callId) ?? []),
    remarks,
  };
}
