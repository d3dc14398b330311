import type { UpdateDefinition } from '@temporalio/common';
import { currentUpdateInfo, setHandler } from '@temporalio/workflow';
import {
  checkAnswer,
  checkPause,
  checkResume,
  checkSteering,
  type CheckedAnswer,
  type SteeringMessage,
} from '../../domain/messages/validate-message.ts';
import { takeAnswer } from '../../domain/decisions/apply-answer.ts';
import { optionRule } from '../../domain/decisions/options/decision-kinds.ts';
import type { DecisionAnswer } from '../../domain/types/decision.ts';
import type { PlanRequest } from '../../domain/types/events.ts';
import type { RunningTask } from '../../domain/task/running-task.ts';
import type { TaskState } from '../../domain/task/state.ts';
import { getOwn } from '../../domain/util/own-property.ts';
import type { Inbox, Message } from '../shared/inbox.ts';
import { defineRawSignal } from '../shared/raw-message.ts';
import * as messages from './messages.ts';
import { serveQueries } from './serve-queries.ts';

/** The parts of a task that its messages read and change. */
export interface MessageTarget {
  task: RunningTask;
  inbox: Inbox;
  /** Checks a person's plan and answers the question with it. */
  editPlan: (answer: DecisionAnswer) => Promise<messages.DecideResult>;
}

export function serveMessages(target: MessageTarget): void {
  const { inbox } = target;
  const { descriptions, updates } = messages;
  const { decide, steer, pause, resume } = buildMessages(target);
  /** Serves an update, and the signal of the same name. */
  const serve = <Sent, P, R>(
    update: UpdateDefinition<R, [Sent]>,
    name: messages.MessageName,
    message: Message<P, R>,
  ) => {
    const description = descriptions[name];
    const validator = (payload: Sent): void => inbox.validate(message, payload);
    setHandler(update, (payload: Sent) => inbox.take(message, payload), { description, validator });
    setHandler(defineRawSignal(name), (argument) => inbox.takeSignal(name, message, argument), { description });
  };
  // A message without its handler does not compile.
  const handlers: Record<messages.MessageName, () => void> = {
    decide: () => serve(updates.decide, 'decide', decide),
    steer: () => serve(updates.steer, 'steer', steer),
    pause: () => serve(updates.pause, 'pause', pause),
    resume: () => serve(updates.resume, 'resume', resume),
  };
  for (const register of Object.values(handlers)) register();
  serveQueries(() => (inbox.ready ? target.task.state : undefined));
}

function buildMessages({ task, inbox, editPlan }: MessageTarget) {
  const accepted: messages.Accepted = { taskId: task.state.id };
  const again = (): messages.Accepted | undefined => (inbox.hasTaken() ? accepted : undefined);
  const decide: Message<CheckedAnswer, messages.DecideResult> = {
    check: (payload) => checkAnswer(task.state, payload, task.now),
    take: ({ decision, answer }) => {
      takeAnswer(task, decision, answer, { updateId: currentUpdateInfo()?.id ?? null, source: 'person' });
      return { taskId: task.state.id, decisionId: answer.decisionId, option: answer.option };
    },
    takeLater: ({ decision, answer }) =>
      optionRule(decision, answer.option).effect === 'edit-plan' ? editPlan(answer) : undefined,
    again: (payload) => answeredBefore(task.state, payload),
  };
  const steer: Message<SteeringMessage, messages.Accepted> = {
    check: (payload) => checkSteering(task.state, payload),
    take: ({ replan, ...steering }) => {
      task.record({ type: 'task.steered', ...steering });
      if (replan === true) {
        const request: PlanRequest = { reason: formatSteering(steering), trigger: 'steering', subtasks: [] };
        task.record({ type: 'replan.asked', request });
      }
      return accepted;
    },
    again,
  };
  // A second pause or resume is no error and no news.
  const pause: Message<messages.Pause, messages.Accepted> = {
    check: checkPause,
    take: ({ reason = 'a person paused it', by }) => {
      if (task.state.control.paused === null)
        task.record({ type: 'task.paused', reason, by: 'person', ...(by === undefined ? {} : { who: by }) });
      return accepted;
    },
    again,
  };
  const resume: Message<messages.Resume, messages.Accepted> = {
    check: checkResume,
    take: ({ by }) => {
      if (task.state.control.paused !== null)
        task.record({ type: 'task.resumed', ...(by === undefined ? {} : { who: by }) });
      return accepted;
    },
    again,
  };
  return { decide, steer, pause, resume };
}

const formatSteering = ({ text, subtask }: SteeringMessage): string =>
  subtask === undefined ? text : `For ${subtask}: ${text}`;

function answeredBefore(state: TaskState, payload: unknown): messages.DecideResult | undefined {
  const updateId = currentUpdateInfo()?.id;
  const decisionId =
    typeof payload === 'object' && payload !== null && 'decisionId' in payload ? payload.decisionId : undefined;
  if (updateId === undefined || typeof decisionId !== 'string') return undefined;
  const first = getOwn(state.decisions.answered, decisionId);
  if (first === undefined || first.updateId !== updateId) return undefined;
  return { taskId: state.id, decisionId, option: first.option };
}
