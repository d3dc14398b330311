import type { Subtask } from '../types/subtask.ts';
import { quoteName, formatPath, type PlanPath, type PlanProblem } from '../input/problem.ts';
import { alwaysPasses } from './always-passes.ts';
import { hasCheck, isReadOnlyExecutor } from './has-check.ts';

/** Lists the subtasks of a model's plan that nothing would check, as problems for the model. `pathOf` locates a subtask in its reply. */
export function requireChecks(subtasks: readonly Subtask[], locate: (id: string) => PlanPath): PlanProblem[] {
  return subtasks
    .filter((subtask) => !canFail(subtask) && !isReadOnlyExecutor(subtask.executor))
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

/** A check that passes whatever was done does not count. */
const canFail = (subtask: Subtask): boolean =>
  hasCheck({ ...subtask, verify: subtask.verify.filter((command) => !alwaysPasses(command)) });

function formatHint({ criteria, verify }: Subtask): string {
  const judgeHint =
    criteria.length === 0
      ? '`criteria` with `verification: 2`'
      : '`verification: 2`, so that a judge reads its criteria';
  const command = verify.length === 0 ? 'a `verify` command' : 'a `verify` command that can fail';
  return `Add \`deliverables\`, ${command}, or ${judgeHint}; or give it tools that only read.`;
}
