import { buildGuidance, buildOptions } from './options/decision-kinds.ts';
import { findChoice, isChoice } from './options/question-options.ts';
import { limits } from '../limits/domain-limits.ts';
import type { PersonReply } from '../types/agent.ts';
import type { DecisionAnswer, OnTimeout, Question } from '../types/decision.ts';
import { freeDecisionId, settingsOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { clip, oneLine } from '../text/text.ts';

type AskedQuestion = Question['asks'];

/** Builds the question of a suspended attempt. */
export function buildQuestion(state: TaskState, subtask: string, request: AskedQuestion, now: number): Question {
  const asks = bounded(request);
  return {
    id: freeDecisionId(state, subtask),
    kind: 'question',
    subtask,
    signature: null,
    asks,
    problem: clip(formatProblem(subtask, asks), limits.asked.problem),
    tried: [],
    recommendation: asks.kind === 'question' ? 'answer' : 'happened',
    options: buildOptions('question', { subtask, asks }),
    openedAt: new Date(now).toISOString(),
    ...(asks.kind === 'question' ? resolveDeadline(state, now) : { deadline: null, onTimeout: 'wait' }),
  };
}

/** Until when an answer is waited for, by the plan's policy. No policy answers in a person's place: it declines, skips, or waits. */
export function resolveDeadline(state: TaskState, now: number): Pick<Question, 'deadline' | 'onTimeout'> {
  const { approval } = settingsOf(state);
  const onTimeout = policies[approval.onTimeout];
  const within = approval.timeout ?? limits.answerWithin;
  return { deadline: onTimeout === 'wait' ? null : new Date(now + within).toISOString(), onTimeout };
}

const policies: Record<OnTimeout, OnTimeout> = { wait: 'wait', proceed: 'wait', deny: 'deny', skip: 'skip' };

/** It stays in the state until it is answered, whatever a model wrote. */
function bounded(asks: AskedQuestion): AskedQuestion {
  const most = limits.asked;
  if (asks.kind === 'unknown-effect') {
    const { action, evidence } = asks;
    return { ...asks, action: clip(action, most.effect), evidence: clip(evidence, most.effect) };
  }
  const options = asks.options.slice(0, most.options).map((option) => clip(option, most.option));
  return { ...asks, question: clip(asks.question, most.question), options };
}

function formatProblem(subtask: string, asks: AskedQuestion): string {
  if (asks.kind === 'question') return `${subtask} asks: ${oneLine(asks.question)}`;
  const { tool, action, evidence } = asks;
  const seen = oneLine(evidence) === '' ? '' : ` What can be seen: ${oneLine(evidence)}`;
  return `${subtask} was interrupted while it used ${tool}: ${oneLine(action)} Nobody knows whether that happened.${seen}`;
}

/** The reply that the conversation gets. */
export function buildQuestionReply(decision: Question, answer: DecisionAnswer): PersonReply {
  const { asks } = decision;
  const { call } = asks;
  const { option } = answer;
  if (option === 'happened' || option === 'did-not-happen') return { kind: 'settled', call, outcome: option };
  const guidance = buildGuidance(decision, answer);
  if (option === 'decline') return { kind: 'declined', call, text: guidance };
  const chosen = isChoice(option) ? (findChoice(asks, option) ?? '') : '';
  return { kind: 'answered', call, text: [chosen, guidance].filter((text) => text !== '').join('\n') };
}
