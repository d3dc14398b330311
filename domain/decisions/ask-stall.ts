import { buildOptions } from './options/decision-kinds.ts';
import { limits } from '../limits/domain-limits.ts';
import type { PlanQuestion } from '../types/decision.ts';
import { mayReplan } from '../schedule/budget-limits.ts';
import { freeDecisionId, rowsOf, subtaskOf } from '../task/read-state.ts';
import { statusOf } from '../task/subtask-phase.ts';
import type { TaskState } from '../task/state.ts';
import { hasEnded } from '../types/subtask.ts';
import { clip, oneLine } from '../text/text.ts';
import type { RunningTask } from '../task/running-task.ts';

/** Nothing can go on by itself: a person says what becomes of the task. Where nobody is to be asked, what is open fails. */
export function askAboutStall(task: RunningTask, why: string): void {
  const { state, now } = task;
  if (state.plan.settings?.ladder.some(({ person }) => person) === true)
    return task.record({ type: 'decision.opened', decision: stallQuestion(state, why, now) });
  for (const { id } of rowsOf(state)) {
    if (!hasEnded(statusOf(subtaskOf(state, id))))
      task.record({ type: 'subtask.failed', subtask: id, reason: 'nothing can start it' });
  }
}

function stallQuestion(state: TaskState, why: string, now: number): PlanQuestion {
  return {
    id: freeDecisionId(state, 'plan'),
    kind: 'plan',
    stalled: true,
    subtask: null,
    signature: null,
    problem: clip(`Nothing in the plan can continue. ${oneLine(why)}`, limits.asked.problem),
    tried: [],
    recommendation: mayReplan(state) ? 'replan' : 'finish',
    options: buildOptions('stall', {
      open: rowsOf(state).flatMap(({ id }) => (hasEnded(statusOf(subtaskOf(state, id))) ? [] : [id])),
      ...(mayReplan(state) ? { mayReplan: true } : {}),
    }),
    openedAt: new Date(now).toISOString(),
    deadline: null,
    onTimeout: 'wait',
  };
}
