import { atDeadline } from './options/decision-kinds.ts';
import type { RunningTask } from '../task/running-task.ts';
import { isOpen, takeAnswer } from './apply-answer.ts';

/** Answers each question whose deadline has passed as its policy says, and records it as the policy's decision. */
export function applyDeadlines(task: RunningTask): void {
  const { state, now } = task;
  if (state.control.paused !== null) return;
  for (const decision of [...state.decisions.open]) {
    if (decision.deadline === null || Date.parse(decision.deadline) > now) continue;
    const policy = atDeadline(decision);
    // The answer to one may have closed another: what was asked about a subtask that is blocked now.
    if (policy === null || !isOpen(state, decision)) continue;
    const answer = { decisionId: decision.id, option: policy.option, by: 'policy (deadline passed)' };
    takeAnswer(task, decision, answer, { updateId: null, source: 'policy', effect: policy.effect });
  }
}
