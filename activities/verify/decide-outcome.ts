import type { Issue, Verdict } from '../../domain/model/attempt.ts';
import type { CompletionContract } from '../../domain/model/completion-contract.ts';
import { oneLine } from '../../domain/text/text.ts';

export interface Judgement {
  outcome: Verdict['outcome'];
  issues: Issue[];
}

/**
 * What all issues together mean. A program's `partial` is taken at face value, and good enough only where the plan allows it. Without any
 * check that the plan asks for, a result is never a pass.
 */
export function decideOutcome(
  issues: readonly Issue[],
  {
    contract,
    allowPartial,
    checked,
  }: { contract?: CompletionContract | undefined; allowPartial: boolean; checked: boolean },
): Judgement {
  const partial = contract?.status === 'partial';
  const all = partial && !allowPartial ? [...issues, unfinished(contract)] : [...issues];
  if (all.some((issue) => issue.severity === 'hard')) return { outcome: 'fail', issues: all };
  if (partial) return { outcome: 'partial-verified', issues: all };
  if (!checked) return { outcome: 'unchecked', issues: all };
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
