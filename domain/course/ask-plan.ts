import { optionsOf } from '../decisions/kinds.ts';
import type { PlanQuestion } from '../model/decision.ts';
import { freeDecisionId, rowsOf, type TaskState } from '../task/state.ts';

/** Shall the plan run as it is? */
export function planQuestion(state: TaskState, now: number): PlanQuestion {
  return {
    id: freeDecisionId(state, 'plan'),
    kind: 'plan',
    subtask: null,
    signature: null,
    problem: 'The plan is ready. Run it?',
    tried: [],
    recommendation: 'approve',
    options: optionsOf('plan', { subtasks: rowsOf(state).length }),
    openedAt: new Date(now).toISOString(),
    deadline: null,
    onTimeout: 'wait',
  };
}
