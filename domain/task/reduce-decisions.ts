import { clipCorrection } from '../lessons/build-material.ts';
import { limits } from '../limits/domain-limits.ts';
import type { Decision, DecisionAnswer } from '../types/decision.ts';
import { learnAnswer } from '../memory/learned.ts';
import { setOwn } from '../util/own-property.ts';
import type { EventOf } from '../types/events.ts';
import { enterPhase } from './enter-phase.ts';
import { leaveUnanswered } from './reduce-planner.ts';
import { subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';
import { passedOf, suspensionOf, type Kept } from './subtask-phase.ts';
import type { SubtaskState } from './subtask-state.ts';

/** Opens and closes questions. Called by `apply` alone. */
export function reduceDecisions(
  state: TaskState,
  event: EventOf<'decision.opened' | 'decision.answered'>,
  now: number,
): void {
  switch (event.type) {
    case 'decision.opened':
      return openDecision(state, event.decision);
    case 'decision.answered':
      return answerDecision(state, event, now);
  }
}

function openDecision(state: TaskState, decision: Decision): void {
  state.decisions.open.push(decision);
  if (decision.kind === 'escalation') state.decisions.escalations += 1;
  if (decision.kind === 'escalation' && decision.subtask === null) {
    leaveUnanswered(state);
    delete state.planner.wait;
  }
  if (decision.subtask === null) return;
  const subtask = subtaskOf(state, decision.subtask);
  enterPhase(state, subtask, 'decision.opened', { name: 'asked', decision: decision.id, kept: keptBy(subtask) });
  // A standing answer is for the first question about a failure; questions of a working attempt do not count.
  if (!isOfAttempt(decision)) subtask.decisionCount += 1;
}

/** The facts of the phase before that the one after the answer needs. */
function keptBy(subtask: SubtaskState): Kept {
  const [suspension, passed] = [suspensionOf(subtask), passedOf(subtask)];
  if (suspension !== undefined) return { suspension };
  return passed === undefined ? null : { passed };
}

/** Asked in the middle of an attempt, which goes on with the answer. */
const isOfAttempt = (decision: Decision): boolean =>
  decision.kind === 'question' || (decision.kind === 'approval' && decision.action !== undefined);

/** The question is closed. What the answer does is told by the events that follow. */
function answerDecision(state: TaskState, event: EventOf<'decision.answered'>, now: number): void {
  const { answer } = event;
  const decision = state.decisions.open.find((open) => open.id === answer.decisionId);
  if (decision === undefined) throw new Error(`decision ${answer.decisionId} is not open`);
  const at = new Date(now).toISOString();
  const { option, instruction, by } = answer;
  state.decisions.open = state.decisions.open.filter((open) => open !== decision);
  setOwn(state.decisions.answered, decision.id, { option, by: by ?? null, at, updateId: event.updateId });
  // Nobody was asked.
  if (event.source === 'standing' && decision.kind === 'escalation') state.decisions.escalations -= 1;
  if (answer.scope === 'signature' && decision.signature !== null) {
    setOwn(state.decisions.standing, decision.signature, {
      option,
      ...(instruction === undefined ? {} : { instruction }),
      ...(by === undefined ? {} : { by }),
    });
    state.log.learned = learnAnswer(state.log.learned, { signature: decision.signature, answer, at: now });
  }
  if (decision.subtask === null) return;
  const subtask = subtaskOf(state, decision.subtask);
  if (event.source === 'person') noteCorrection(state, subtask, answer);
  enterPhase(state, subtask, 'decision.answered', { name: 'answered', kept: keptBy(subtask) });
}

const corrects: ReadonlySet<string> = new Set(['fix', 'edit', 'reject']);

/** A person's correction is something to learn from, where the task has a model that does. */
function noteCorrection(
  state: TaskState,
  subtask: SubtaskState,
  { option, instruction = '', value }: DecisionAnswer,
): void {
  if (state.plan.settings?.lessons?.extracts !== true || !corrects.has(option)) return;
  const text = value === undefined ? instruction : `${instruction} ${JSON.stringify(value)}`;
  if (text.trim() === '') return;
  const kept = [...(subtask.corrections ?? []), clipCorrection(text)];
  subtask.corrections = kept.slice(-limits.lessons.corrections);
}
