import { optionRule } from './options/decision-kinds.ts';
import type { Effect } from './options/option-rule.ts';
import type { DecisionAnswer, AnswerSource, Decision } from '../types/decision.ts';
import { getOwn } from '../util/own-property.ts';
import type { TaskState } from '../task/state.ts';
import type { RunningTask } from '../task/running-task.ts';
import { effects } from './answer-effects.ts';

interface AnswerOrigin {
  updateId: string | null;
  source: AnswerSource;
  /** The effect of a deadline's answer: it may differ from that of a person who chose the same option. */
  effect?: Effect;
}

/** Takes an answer, does what it says, and, where it holds for a signature, takes the same answer for those. */
export function takeAnswer(task: RunningTask, decision: Decision, answer: DecisionAnswer, how: AnswerOrigin): void {
  const { effect = optionRule(decision, answer.option).effect, ...origin } = how;
  task.record({ type: 'decision.answered', answer, ...origin, ...scoreOf(decision) });
  effects[effect](task, decision, answer);
  if (answer.scope === 'signature') answerAlike(task, answer, decision.signature);
}

/** The effect of one answer may close other questions. */
export const isOpen = ({ decisions: { open: decisions } }: TaskState, { id }: Decision): boolean =>
  decisions.some((decision) => decision.id === id);

/** How sure the result was that somebody decided about: what `report --calibration` compares. */
const scoreOf = (decision: Decision): { score?: number } => ('score' in decision ? { score: decision.score } : {});

/** Takes a person's standing answer for this signature, if it is a choice that the question has. */
export function takeStanding(task: RunningTask, decision: Decision, what: 'failure' | 'action'): boolean {
  const standing = decision.signature === null ? undefined : getOwn(task.state.decisions.standing, decision.signature);
  if (standing === undefined || !decision.options.some(({ id }) => id === standing.option)) return false;
  const { option, instruction, by } = standing;
  const answer = {
    decisionId: decision.id,
    option,
    ...(instruction === undefined ? {} : { instruction }),
    by: `the answer of ${by ?? 'a person'} for this ${what}`,
  };
  takeAnswer(task, decision, answer, { updateId: null, source: 'standing' });
  return true;
}

function answerAlike(task: RunningTask, answer: DecisionAnswer, signature: string | null): void {
  const alike = task.state.decisions.open.filter((open) => signature !== null && open.signature === signature);
  for (const decision of alike) {
    if (isOpen(task.state, decision) && decision.options.some((option) => option.id === answer.option))
      takeAnswer(
        task,
        decision,
        { ...answer, decisionId: decision.id, scope: 'once' },
        { updateId: null, source: 'person' },
      );
  }
}
