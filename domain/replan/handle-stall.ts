import { stalled } from '../schedule/task-ending.ts';
import { mayReplan } from '../schedule/budget-limits.ts';
import { openDependents, rowsOf, subtaskOf } from '../task/read-state.ts';
import { statusOf } from '../task/subtask-phase.ts';
import type { TaskState } from '../task/state.ts';
import { hasEnded } from '../types/subtask.ts';
import { askAboutStall } from '../decisions/ask-stall.ts';
import type { RunningTask } from '../task/running-task.ts';

/** Nothing can go on although nothing waits and nothing failed: the plan is put right, else there is a new one, else a person decides. */
export function meetStall(task: RunningTask): void {
  const { state, now } = task;
  const reasons = stalled(state, now);
  if (reasons.length === 0) return;
  task.record({ type: 'task.stalled', reasons });
  const demoted = misplacedSyntheses(state);
  const why = `${reasons.join('; ')}.`;
  if (demoted.length > 0) task.record({ type: 'plan.normalised', demoted });
  else if (mayReplan(state))
    task.record({ type: 'replan.asked', request: { reason: why, trigger: 'stall', subtasks: [] } });
  else askAboutStall(task, why);
}

/** A synthesis that others wait for would wait for them. */
function misplacedSyntheses(state: TaskState): string[] {
  return rowsOf(state)
    .filter(({ id, synthesis }) => synthesis && !hasEnded(statusOf(subtaskOf(state, id))))
    .filter(({ id }) => openDependents(state, id).length > 0)
    .map(({ id }) => id);
}
