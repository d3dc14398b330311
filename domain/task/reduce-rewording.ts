import type { TaskEvent } from '../types/events.ts';
import { countCalls } from './note-diagnosis.ts';
import { subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';

export function reduceRewording(
  state: TaskState,
  event: Extract<TaskEvent, { type: 'decision.phrasing' | 'decision.phrased' }>,
): void {
  const { decisionId: decision, subtask } = event;
  const others = (state.planner.rewordings ?? []).filter((one) => one.decision !== decision);
  if (event.type === 'decision.phrasing') {
    const { attempt, grant } = event;
    subtaskOf(state, subtask).phrased = attempt;
    state.planner.rewordings = [...others, { decision, subtask, attempt, grant }];
    return;
  }
  if (others.length > 0) state.planner.rewordings = others;
  else delete state.planner.rewordings;
  countCalls(state, event);
  const { problem } = event;
  if (problem === null) return;
  // A new object: the event that opened the question keeps what was true then.
  state.decisions.open = state.decisions.open.map((open) => (open.id === decision ? { ...open, problem } : open));
}
