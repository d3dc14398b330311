import type { Course } from './course.ts';
import type { Decision } from '../model/decision.ts';
import { failSubtask } from './recover.ts';
import { takeAnswer } from './take-answer.ts';

/** What the policy answers in a person's place. */
const answers: Record<Decision['onTimeout'], string | null> = {
  wait: null,
  proceed: 'approve',
  deny: 'reject',
  skip: 'skip',
};

/** Answers each question whose deadline has passed as its policy says, and records it as the policy's decision. */
export function meetDeadlines(course: Course): void {
  const now = course.now;
  if (course.state.paused !== null) return;
  for (const decision of [...course.state.decisions]) {
    if (decision.deadline === null || Date.parse(decision.deadline) > now) continue;
    const option = answers[decision.onTimeout];
    if (option === null) continue;
    takeAnswer(course, { decisionId: decision.id, option, by: 'policy (deadline passed)' }, { updateId: null });
    // Nobody said what is wrong with it, so another attempt would be a bare retry, and the next deadline would deny that one too.
    if (decision.onTimeout === 'deny' && decision.subtask !== null)
      failSubtask(course, decision.subtask, 'nobody accepted the result before the deadline');
  }
}
