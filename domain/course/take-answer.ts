import { afterAnswer } from './consequences.ts';
import type { Course } from './course.ts';
import type { Answer } from '../model/decision.ts';

/** Takes an answer, what it means for the others, and, where it holds for a signature, the same answer for those. */
export function takeAnswer(course: Course, answer: Answer, how: { updateId: string | null; standing?: true }): void {
  const { state } = course;
  course.record({ type: 'decision.answered', answer, ...how });
  const answered = state.answered[answer.decisionId];
  if (answered === undefined) throw new Error(`the answer to ${answer.decisionId} was not recorded`);
  const { events, stop } = afterAnswer(state, answered);
  for (const event of events) course.record(event);
  if (stop !== undefined) course.stop(stop);
  if (answer.scope === 'signature') answerAlike(course, answer, answered.decision.signature);
}

function answerAlike(course: Course, answer: Answer, signature: string | null): void {
  const alike = course.state.decisions.filter((open) => signature !== null && open.signature === signature);
  for (const { id, options } of alike) {
    if (options.some((option) => option.id === answer.option))
      takeAnswer(course, { ...answer, decisionId: id, scope: 'once' }, { updateId: null });
  }
}
