import type { Answer, LogEntryOf, Heard, Remark } from './entry.ts';
import type { ReplyPart } from './message.ts';
import type { ToolCall } from './turn.ts';

/** A turn and what came of it: nothing of it changes any more. The one before the first turn has the number 0 and says nothing. */
export interface Exchange {
  n: number;
  parts: readonly ReplyPart[];
  calls: readonly ToolCall[];
  /** In the order of the calls. */
  answers: readonly Answer[];
  remarks: readonly Remark[];
}

interface Turn extends Pick<LogEntryOf<'turn'>, 'n' | 'parts'> {
  calls: readonly ToolCall[];
  answers: ReadonlyMap<string, Answer>;
}

export function buildExchange(turn: Turn | undefined, { answers, remarks }: Heard): Exchange {
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
