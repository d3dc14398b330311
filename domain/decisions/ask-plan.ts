import { buildOptions } from './options/decision-kinds.ts';
import type { PlanQuestion } from '../types/decision.ts';
import type { PlanPreview } from '../types/planner.ts';
import { formatEstimate } from '../planner/format-estimate.ts';
import { freeDecisionId, rowsOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';

const degraded = 'No plan could be made. Run the whole goal as one subtask?';
const degradedProcess = 'No plan could be made. Run the phases of the process as they are?';

function formatProblem({ plan }: TaskState): string {
  if (plan.degraded !== true) return 'The plan is ready. Run it?';
  return plan.settings?.process === undefined ? degraded : degradedProcess;
}

/** Shall the plan run as it is? */
export function planQuestion(state: TaskState, now: number, estimate?: PlanPreview['estimate']): PlanQuestion {
  return {
    id: freeDecisionId(state, 'plan'),
    kind: 'plan',
    subtask: null,
    signature: null,
    problem: formatProblem(state),
    tried: [],
    recommendation: 'approve',
    options: buildOptions('plan', {
      subtasks: rowsOf(state).length,
      edits: state.plan.settings?.brief !== undefined,
      plans: state.plan.settings?.planning !== undefined,
      ...(estimate === undefined ? {} : { estimate: formatEstimate(estimate) }),
    }),
    openedAt: new Date(now).toISOString(),
    deadline: null,
    onTimeout: 'wait',
    ...(estimate === undefined ? {} : { estimate }),
    ...(state.plan.degraded === true ? { degraded: true } : {}),
  };
}
