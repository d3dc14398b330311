import type { Subtask } from '../types/subtask.ts';
import { quote, formatPath, type PlanPath, type PlanProblem } from '../input/problem.ts';
import { hasCheck, onlyReads } from './has-check.ts';

/** Subtasks of a model's plan whose result nothing would look at, as problems that the model can correct. `pathOf`: where its reply names one. */
export function requireChecks(subtasks: readonly Subtask[], pathOf: (id: string) => PlanPath): PlanProblem[] {
  return subtasks
    .filter((subtask) => !hasCheck(subtask) && !onlyReads(subtask.executor))
    .map((subtask) => {
      const path = pathOf(subtask.id);
      return {
        code: 'PLAN_NOT_SUPPORTED',
        message: `Nothing checks the result of ${quote(subtask.id)}.`,
        where: formatPath(path),
        hint: hintFor(subtask),
        path,
      };
    });
}

function hintFor({ criteria }: Subtask): string {
  const judgeHint =
    criteria.length === 0
      ? '`criteria` with `verification: 2`'
      : '`verification: 2`, so that a judge reads its criteria';
  return `Add \`deliverables\`, a \`verify\` command, or ${judgeHint}; or give it tools that only read.`;
}
