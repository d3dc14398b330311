import { limits } from '../limits/domain-limits.ts';
import { freeDecisionId } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { clip } from '../text/text.ts';
import type { PlannerEscalation } from '../types/decision.ts';
import type { PlannerRefusal } from '../types/planner.ts';
import { buildOptions } from './options/decision-kinds.ts';

/** Asks for credentials with which the goal can be planned: another plan than the planner's would be a worse one. */
export function plannerEscalation(state: TaskState, now: number, refusal: PlannerRefusal): PlannerEscalation {
  const { type, why, model, provider, variable } = refusal;
  const key = variable === undefined ? '' : ` Its key is in ${variable}.`;
  return {
    id: freeDecisionId(state, 'planning'),
    kind: 'escalation',
    subtask: null,
    signature: null,
    problem: clip(
      `The goal cannot be planned by the model ${model} of the provider ${provider}: ${why}${key}`,
      limits.problem,
    ),
    tried: [],
    recommendation: type === 'auth' ? 'provide-credentials' : 'retry',
    options: buildOptions('planner', { variable }),
    openedAt: new Date(now).toISOString(),
    deadline: null,
    onTimeout: 'wait',
    files: [],
  };
}
