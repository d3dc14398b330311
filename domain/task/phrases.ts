import type { TaskEvent } from '../model/events.ts';
import { countCalls } from './note-diagnosis.ts';
import { grantForWords } from './grants.ts';
import { subtaskOf, type Phrasing, type TaskState } from './state.ts';

/*
 * A question about a failure opens at once, in words of ours. Where the task has a model that plans, it is asked for better ones beside
 * the work, once for an attempt: nothing waits for it.
 */

/** The next question to find words for; undefined: none, or no budget for it. */
export function wantedPhrase(state: TaskState): Phrasing | undefined {
  if (state.setting?.planner === undefined) return undefined;
  for (const { kind, id: decision, subtask } of state.decisions) {
    if (kind !== 'escalation') continue;
    const { failures, phrased } = subtaskOf(state, subtask);
    const last = failures.at(-1);
    // Trouble of a service or a machine is said by its name; the model may be what has it.
    if (last === undefined || last.attempt === phrased || !isOfWork(last.failure.category)) continue;
    const grant = grantForWords(state);
    if (grant !== null) return { decision, subtask, attempt: last.attempt, grant };
  }
  return undefined;
}

const isOfWork = (category: string): boolean => category === 'quality' || category === 'blocked';

export function changePhrase(
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
