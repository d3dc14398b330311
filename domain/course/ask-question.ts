import { guidanceOf, optionsOf } from '../decisions/kinds.ts';
import { choiceOf, isChoice } from '../decisions/question.ts';
import { limits } from '../limits.ts';
import type { Ask, Resume } from '../model/agent.ts';
import type { Answer, OnTimeout, Question } from '../model/decision.ts';
import { freeDecisionId, settingOf, type TaskState } from '../task/state.ts';
import { clip, oneLine } from '../text/text.ts';

/** A question of a model's is as long as it likes; who decides reads a paragraph. */
const mostProblem = 1_000;
const mostText = 1_000;
const mostChoices = 5;

/** What an attempt that stands still asks. */
export function question(state: TaskState, subtask: string, asked: Ask, now: number): Question {
  const asks = bounded(asked);
  const { approval } = settingOf(state);
  const onTimeout = asks.kind === 'question' ? policies[approval.onTimeout] : 'wait';
  const within = approval.timeout ?? limits.answerWithin;
  return {
    id: freeDecisionId(state, subtask),
    kind: 'question',
    subtask,
    signature: null,
    asks,
    problem: clip(problemOf(subtask, asks), mostProblem),
    tried: [],
    recommendation: asks.kind === 'question' ? 'answer' : 'happened',
    options: optionsOf('question', { subtask, asks }),
    openedAt: new Date(now).toISOString(),
    deadline: onTimeout === 'wait' ? null : new Date(now + within).toISOString(),
    onTimeout,
  };
}

/** It stays in the state until it is answered, whatever a model wrote. */
function bounded(asks: Ask): Ask {
  if (asks.kind === 'unknown-effect') {
    const { action, evidence } = asks;
    return { ...asks, action: clip(action, mostText), evidence: clip(evidence, mostText) };
  }
  const options = asks.options.slice(0, mostChoices).map((option) => clip(option, mostText));
  return { ...asks, question: clip(asks.question, limits.instruction), options };
}

/** A deadline never answers: it declines, skips, or lets the question wait. */
const policies: Record<OnTimeout, OnTimeout> = { wait: 'wait', proceed: 'wait', deny: 'deny', skip: 'skip' };

function problemOf(subtask: string, asks: Ask): string {
  if (asks.kind === 'question') return `${subtask} asks: ${oneLine(asks.question)}`;
  const { tool, action, evidence } = asks;
  const seen = oneLine(evidence) === '' ? '' : ` What can be seen: ${oneLine(evidence)}`;
  return `${subtask} was interrupted while it used ${tool}: ${oneLine(action)} Nobody knows whether that happened.${seen}`;
}

/** What the conversation is told of the answer. */
export function resumeOf({ asks }: Question, answer: Answer): Resume {
  const { call } = asks;
  const { option } = answer;
  if (option === 'happened' || option === 'did-not-happen') return { kind: 'settled', call, outcome: option };
  const said = guidanceOf('question', answer);
  if (option === 'decline') return { kind: 'declined', call, text: said };
  const chosen = isChoice(option) ? (choiceOf(asks, option) ?? '') : '';
  return { kind: 'answered', call, text: [chosen, said].filter((text) => text !== '').join('\n') };
}
