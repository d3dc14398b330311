import type { Issue, Verdict } from '../../domain/model/attempt.ts';
import type { CompletionContract } from '../../domain/model/completion-contract.ts';
import { oneLine } from '../../domain/text/text.ts';

export interface Judgement {
  outcome: Verdict['outcome'];
  issues: Issue[];
}

/** What all issues together mean. A program's `partial` is believed, and good enough only where the plan allows it. */
export function decideOutcome(
  issues: readonly Issue[],
  { contract, allowPartial }: { contract?: CompletionContract | undefined; allowPartial: boolean },
): Judgement {
  const partial = contract?.status === 'partial';
  const all = partial && !allowPartial ? [...issues, unfinished(contract)] : [...issues];
  if (all.some((issue) => issue.severity === 'hard')) return { outcome: 'fail', issues: all };
  if (partial) return { outcome: 'partial-verified', issues: all };
  return { outcome: all.length > 0 ? 'pass-with-warnings' : 'pass', issues: all };
}

function unfinished({ notes }: CompletionContract): Issue {
  return {
    code: 'partial',
    severity: 'hard',
    message: 'The program reported its own work as partial; finish what is left.',
    ...(notes === undefined || notes.trim() === '' ? {} : { details: oneLine(notes) }),
  };
}
