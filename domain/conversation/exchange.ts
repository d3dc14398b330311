import type { Answer, EntryOf, Heard, Remark } from './entry.ts';
import type { ReplyPart } from './message.ts';
import type { Call } from './turn.ts';

/** A turn and what came of it: nothing of it changes any more. The one before the first turn has the number 0 and says nothing. */
export interface Exchange {
  n: number;
  parts: readonly ReplyPart[];
  calls: readonly Call[];
  /** In the order of the calls. */
  answers: readonly Answer[];
  remarks: readonly Remark[];
}

interface Turn extends Pick<EntryOf<'turn'>, 'n' | 'parts'> {
  calls: readonly Call[];
  answers: ReadonlyMap<string, Answer>;
}

export function exchangeOf(turn: Turn | undefined, { answers, remarks }: Heard): Exchange {
  if (turn === undefined) return { n: 0, parts: [], calls: [], answers: [], remarks };
  const known = new Map([...turn.answers, ...answers.map((answer) => [answer.call, answer] as const)]);
  return {
    n: turn.n,
    parts: turn.parts,
    calls: turn.calls,
    answers: turn.calls.flatMap(({ place }) => known.get(place) ?? []),
    remarks,
  };
}
