import { optionsOf } from '../decisions/kinds.ts';
import { checkBudget, sayBudget } from '../task/budget.ts';
import { freeDecisionId } from '../task/state.ts';
import { usedNow } from '../task/status.ts';
import { sayDuration } from '../text/duration.ts';
import type { Course } from './course.ts';

/** Warns once near a limit; at it, asks once and starts nothing new until there is an answer. */
export function watchBudget(course: Course): void {
  const { state, now } = course;
  if (state.open === 0 || state.cancelling !== null || state.finishing) return;
  for (const { key, used, limit, level } of checkBudget(state.budget, usedNow(state, now))) {
    if (level === 'warning') {
      if (!state.warned.includes(key)) course.record({ type: 'budget.warning', key, used, limit });
      continue;
    }
    if (state.decisions.some((open) => open.kind === 'budget' && open.budget === key)) continue;
    course.record({ type: 'budget.exhausted', key, used, limit });
    const said = key === 'wallClock' ? sayDuration(limit) : String(limit);
    const name = sayBudget(key);
    course.record({
      type: 'decision.opened',
      decision: {
        id: freeDecisionId(state, `budget-${key}`),
        kind: 'budget',
        subtask: null,
        signature: null,
        budget: key,
        problem: `The budget for ${name} (${said}) is used up. Nothing new starts until you decide.`,
        tried: [],
        recommendation: 'raise',
        options: optionsOf('budget', { key, name }),
        openedAt: new Date(now).toISOString(),
        deadline: null,
        onTimeout: 'wait',
      },
    });
  }
}
