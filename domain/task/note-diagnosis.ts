import type { Grant } from '../types/agent.ts';
import type { TaskEvent } from '../types/events.ts';
import type { SpentBefore } from '../types/judgement.ts';
import type { ResourceUsage } from '../types/outcome.ts';
import { sumUses } from '../llm/sum-uses.ts';
import { rowOf, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';

const keys = ['modelCalls', 'tokens', 'costUsd'] as const;

/** What it took counts like everything else; the attempt keeps what is left of a grant that is its own too. */
export function noteDiagnosis(
  state: TaskState,
  { subtask: id, diagnosis, used, models }: TaskEvent & { type: 'attempt.diagnosed' },
): void {
  const subtask = subtaskOf(state, id);
  subtask.diagnosis = diagnosis;
  countCalls(state, { used, models });
  if (subtask.grant === undefined) return;
  if (rowOf(state, id).call.spends === true) subtask.grant = lessBy(subtask.grant, used);
  else delete subtask.grant;
}

/** Of models that look at failures. */
export function countCalls(state: TaskState, { used, models }: SpentBefore): void {
  for (const key of keys) {
    const more = used[key] ?? 0;
    if (more > 0) state.budget.used[key] = (state.budget.used[key] ?? 0) + more;
  }
  if (models.length > 0) state.planner.diagnosisUse = sumUses([...(state.planner.diagnosisUse ?? []), ...models]);
}

function lessBy(grant: Grant, used: ResourceUsage): Grant {
  const less = { ...grant };
  for (const key of keys) {
    const amount = grant[key];
    if (amount !== undefined) less[key] = Math.max(0, amount - (used[key] ?? 0));
  }
  return less;
}
