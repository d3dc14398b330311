import { optionRule } from '../decisions/kinds.ts';
import type { Effect } from '../decisions/rule.ts';
import type { Answer, AnswerSource, Decision } from '../model/decision.ts';
import type { Course } from './course.ts';
import { effects } from './effects.ts';

interface How {
  updateId: string | null;
  source: AnswerSource;
  /** Where a deadline answers: it may do something else than a person who chose the same option. */
  effect?: Effect;
}

/** Takes an answer, does what it says, and, where it holds for a signature, takes the same answer for those. */
export function takeAnswer(course: Course, decision: Decision, answer: Answer, how: How): void {
  const { effect = optionRule(decision.kind, answer.option).effect, ...told } = how;
  course.record({ type: 'decision.answered', answer, ...told });
  effects[effect](course, decision, answer);
  if (answer.scope === 'signature') answerAlike(course, answer, decision.signature);
}

function answerAlike(course: Course, answer: Answer, signature: string | null): void {
  const alike = course.state.decisions.filter((open) => signature !== null && open.signature === signature);
  for (const decision of alike) {
    if (decision.options.some((option) => option.id === answer.option))
      takeAnswer(
        course,
        decision,
        { ...answer, decisionId: decision.id, scope: 'once' },
        { updateId: null, source: 'person' },
      );
  }
}
