import type { Subtask } from '../types/subtask.ts';
import { quoteName, formatPath, type PlanPath, type PlanProblem } from '../input/problem.ts';
import { hasCheck, isReadOnlyExecutor } from './has-check.ts';

/** Lists the subtasks of a model's plan that nothing would check, as problems for the model. `pathOf` locates a subtask in its reply. */
export function requireChecks(subtasks: readonly Subtask[], locate: (id: string) => PlanPath): PlanProblem[] {
  return subtasks
    .filter((subtask) => !hasCheck(subtask) && !isReadOnlyExecutor(subtask.executor))
    .map((subtask) => {
      const path = locate(subtask.id);
      return {
        code: 'PLAN_NOT_SUPPORTED',
        message: `Nothing checks the result of ${quoteName(subtask.id)}.`,
        where: formatPath(path),
        hint: formatHint(subtask),
        path,
      };
    });
}

function formatHint({ criteria }: Subtask): string {
  const judgeHint =
    criteria.length === 0
      ? '`criteria` with `verification: 2`'
      : '`verification: 2`, so that a judge reads its criteria';
  return `Add \`deliverables\`, a \`verify\` command, or ${judgeHint}; or give it tools that only read.`;
}
