import { grantForAside } from '../schedule/grants.ts';
import { subtaskOf } from '../task/read-state.ts';
import type { Rewording, TaskState } from '../task/state.ts';

/*
 * A question about a failure opens at once, in words of ours. Where the task has a model that plans, it is asked for better ones beside
 * the work, once for an attempt: nothing waits for it.
 */

/** The next question to find words for; undefined: none, or no budget for it. */
export function nextRewording(state: TaskState): Rewording | undefined {
  if (state.plan.settings?.planner === undefined) return undefined;
  for (const { kind, id: decision, subtask } of state.decisions.open) {
    if (kind !== 'escalation' || subtask === null) continue;
    const { failures, rewordedAttempt } = subtaskOf(state, subtask);
    const last = failures.at(-1);
    // Trouble of a service or a machine is said by its name; the model may be what has it.
    if (last === undefined || last.attempt === rewordedAttempt || !isOfWork(last.failure.category)) continue;
    const grant = grantForAside(state);
    if (grant !== null) return { decision, subtask, attempt: last.attempt, grant };
  }
  return undefined;
}

const isOfWork = (category: string): boolean => category === 'quality' || category === 'blocked';
