import { classifyVerdict } from '../../domain/failure/classify-verdict.ts';
import type { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { Issue, Verdict } from '../../domain/types/attempt.ts';

/** A lost copy does not come back by looking again: the work is done again, in a new copy. */
export function lostWork({ message }: HeddleError): Verdict {
  const issues: Issue[] = [
    {
      code: 'deliverable-missing',
      severity: 'hard',
      message: `${message}; make all of the changes again, in the new copy.`,
    },
  ];
  const findings = { outcome: 'fail' as const, issues, commands: [], files: [], checks: { passed: 0, total: 0 } };
  return { ...findings, failure: classifyVerdict(findings), result: null };
}
