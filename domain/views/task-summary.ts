import type { TaskSummary } from '../types/events.ts';
import { rowsOf, subtaskOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { statusOf } from '../task/subtask-phase.ts';
import { roundUsd } from '../util/usd.ts';

/** Counts what a task did and cost, for its last event. It costs one walk over the plan. */
export function summariseTask(state: TaskState, now: number): TaskSummary {
  const { used, unpriced } = state.budget;
  const subtasks: TaskSummary['subtasks'] = { total: 0, completed: 0, failed: 0, blocked: 0, skipped: 0, unchecked: 0 };
  let [attempts, recovered] = [0, 0];
  for (const { id } of state.plan.current === null ? [] : rowsOf(state)) {
    const subtask = subtaskOf(state, id);
    const status = statusOf(subtask);
    subtasks.total += 1;
    if (status === 'completed' || status === 'failed' || status === 'blocked' || status === 'skipped')
      subtasks[status] += 1;
    if (subtask.phase.name === 'completed' && subtask.phase.passed.verdict === 'unchecked') subtasks.unchecked += 1;
    attempts += subtask.climb.attempts;
    if (status === 'completed' && subtask.climb.attempts > 1) recovered += 1;
  }
  return {
    subtasks,
    ...{ attempts, recovered },
    decisions: Object.keys(state.decisions.answered).length,
    lessons: state.log.lessons?.learned?.length ?? 0,
    tokens: used.tokens ?? 0,
    modelCalls: used.modelCalls ?? 0,
    costUsd: unpriced === undefined ? roundUsd(used.costUsd ?? 0) : null,
    ...(unpriced !== undefined && (used.costUsd ?? 0) > 0 ? { costKnownUsd: roundUsd(used.costUsd ?? 0) } : {}),
    ms: Math.max(0, now - state.startedAt),
  };
}
