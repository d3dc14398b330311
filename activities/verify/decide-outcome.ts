import type { Issue, Verdict } from '../../domain/types/attempt.ts';
import type { CompletionContract } from '../../domain/types/basic/completion-contract.ts';
import { oneLine } from '../../domain/text/text.ts';

export interface Judgement {
  outcome: Verdict['outcome'];
  issues: Issue[];
}

/**
 * Decides what all issues together mean. A program's `partial` is taken at face value, and good enough only where the plan allows it. Without any
 * check that the plan asks for, a result is never a pass, and what is partial is not verified either.
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
  const all = partial && !allowPartial ? [...issues, unfinished(contract, 'hard')] : [...issues];
  if (all.some((issue) => issue.severity === 'hard')) return { outcome: 'fail', issues: all };
  if (!checked) return { outcome: 'unchecked', issues: partial ? [...all, unfinished(contract, 'advisory')] : all };
  if (partial) return { outcome: 'partial-verified', issues: all };
  return { outcome: all.length > 0 ? 'pass-with-warnings' : 'pass', issues: all };
}

function unfinished({ notes }: CompletionContract, severity: Issue['severity']): Issue {
  return {
    code: 'partial',
    severity,
    message: `The program reported its own work as partial${severity === 'hard' ? '; finish what is left' : ''}.`,
    ...(notes === undefined || notes.trim() === '' ? {} : { details: oneLine(notes) }),
  };
}
