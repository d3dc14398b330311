import type { TaskEvent } from '../types/events.ts';
import { countCalls } from './note-diagnosis.ts';
import { subtaskOf, type TaskState } from './state.ts';

export function reduceRewording(
  state: TaskState,
  event: Extract<TaskEvent, { type: 'decision.phrasing' | 'decision.phrased' }>,
): void {
  const { decisionId: decision, subtask } = event;
  const others = (state.phrases ?? []).filter((one) => one.decision !== decision);
  if (event.type === 'decision.phrasing') {
    const { attempt, grant } = event;
    subtaskOf(state, subtask).phrased = attempt;
    state.phrases = [...others, { decision, subtask, attempt, grant }];
    return;
  }
  if (others.length > 0) state.phrases = others;
  else delete state.phrases;
  countCalls(state, event);
  const { problem } = event;
  if (problem === null) return;
  // A new object: the event that opened the question keeps what was true then.
  state.decisions = state.decisions.map((open) => (open.id === decision ? { ...open, problem } : open));
}
