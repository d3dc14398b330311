import { useEffect, useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import { explainError } from '../api/api-error.ts';
import type { CheckedPlan, PlanProblem } from '../api/wire.ts';

const pauseMs = 350;

/** The problems of a plan while it is typed. Null: the newest text is not checked yet. */
export function usePlanCheck(plan: unknown, active: boolean): { problems: PlanProblem[] | null } {
  const [problems, setProblems] = useState<PlanProblem[] | null>(null);
  useEffect(() => {
    setProblems(null);
    if (!active) return undefined;
    let isOld = false;
    const timer = setTimeout(() => {
      post<CheckedPlan>('/plans/check', { plan }).then(
        (checked) => isOld || setProblems(checked.problems),
        (error: unknown) => isOld || setProblems([{ code: 'NOT_CHECKED', message: explainError(error).message }]),
      );
    }, pauseMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [plan, active]);
  return { problems };
}
