import { asSentence } from '../events/sentence.ts';
import { limits } from '../limits/domain-limits.ts';
import { freeDecisionId } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { clip, formatCount } from '../text/text.ts';
import type { PlannerEscalation } from '../types/decision.ts';
import type { PlannerOutage, PlannerRefusal } from '../types/planner.ts';
import { buildOptions } from './options/decision-kinds.ts';

/** Why the model that plans cannot be asked: it does not take the credentials, or it did not answer, `waits` times in a row. */
export type PlannerTrouble =
  | { kind: 'refusal'; refusal: PlannerRefusal }
  | { kind: 'outage'; outage: PlannerOutage; waits: number };

/** Asks what becomes of a plan that cannot be made now: another one than the planner's would be a worse one. */
export function plannerEscalation(state: TaskState, now: number, trouble: PlannerTrouble): PlannerEscalation {
  const changes = state.planner.replan !== undefined;
  const refusal = trouble.kind === 'refusal' ? trouble.refusal : undefined;
  return {
    id: freeDecisionId(state, 'planning'),
    kind: 'escalation',
    subtask: null,
    signature: null,
    problem: clip(formatProblem(trouble, changes), limits.problem),
    tried: [],
    recommendation: refusal?.type === 'auth' ? 'provide-credentials' : 'retry',
    options: buildOptions('planner', { variable: refusal?.variable, isRefused: refusal !== undefined, changes }),
    openedAt: new Date(now).toISOString(),
    deadline: null,
    onTimeout: 'wait',
    files: [],
  };
}

/** The reason comes first, then what cannot be done for it. */
function formatProblem(trouble: PlannerTrouble, changes: boolean): string {
  if (trouble.kind === 'outage') {
    const { outage, waits } = trouble;
    const what = changes ? 'The plan cannot be changed' : 'The goal cannot be planned';
    return `${asSentence(outage.why)} ${what}; the model that plans was asked again ${formatCount(waits, 'time')}.`;
  }
  const { why, model, provider, variable } = trouble.refusal;
  const key = variable === undefined ? '' : ` Its key is in ${variable}.`;
  return `${asSentence(why)} The model ${model} (${provider}) cannot ${changes ? 'change the plan' : 'plan the goal'}.${key}`;
}
