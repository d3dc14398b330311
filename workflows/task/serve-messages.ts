import { currentUpdateInfo, setHandler } from '@temporalio/workflow';
import {
  checkAnswer,
  checkPause,
  checkResume,
  checkSteering,
  type CheckedAnswer,
  type Steering,
} from '../../domain/messages/validate-message.ts';
import { takeAnswer } from '../../domain/decisions/apply-answer.ts';
import { optionRule } from '../../domain/decisions/options/decision-kinds.ts';
import type { DecisionAnswer } from '../../domain/types/decision.ts';
import type { WantedPlan } from '../../domain/types/events.ts';
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
  const { descriptions } = messages;
  const { decide, steer, pause, resume } = buildMessages(target);
  const options = <P, R>(name: keyof typeof descriptions, message: Message<P, R>) => ({
    description: descriptions[name],
    validator: (payload: unknown) => inbox.validate(message, payload),
  });
  setHandler(messages.decide, (payload) => inbox.take(decide, payload), options('decide', decide));
  setHandler(messages.steer, (payload) => inbox.take(steer, payload), options('steer', steer));
  setHandler(messages.pause, (payload) => inbox.take(pause, payload), options('pause', pause));
  setHandler(messages.resume, (payload) => inbox.take(resume, payload), options('resume', resume));
  const serveSignal = <P, R>(name: messages.MessageName, message: Message<P, R>): void =>
    setHandler(defineRawSignal(name), (argument) => inbox.takeSignal(name, message, argument), {
      description: descriptions[name],
    });
  serveSignal('decide', decide);
  serveSignal('steer', steer);
  serveSignal('pause', pause);
  serveSignal('resume', resume);
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
  const steer: Message<Steering, messages.Accepted> = {
    check: (payload) => checkSteering(task.state, payload),
    take: ({ replan, ...steering }) => {
      task.record({ type: 'task.steered', ...steering });
      if (replan === true) {
        const wanted: WantedPlan = { reason: formatWanted(steering), trigger: 'steering', subtasks: [] };
        task.record({ type: 'replan.asked', wanted });
      }
      return accepted;
    },
    again,
  };
  // A second pause or resume is no error and no news.
  const pause: Message<messages.Pause, messages.Accepted> = {
    check: checkPause,
    take: ({ reason }) => {
      if (task.state.control.paused === null)
        task.record({ type: 'task.paused', reason: reason ?? 'a person paused it', by: 'person' });
      return accepted;
    },
    again,
  };
  const resume: Message<void, messages.Accepted> = {
    check: checkResume,
    take: () => {
      if (task.state.control.paused !== null) task.record({ type: 'task.resumed' });
      return accepted;
    },
    again,
  };
  return { decide, steer, pause, resume };
}

const formatWanted = ({ text, subtask }: Steering): string =>
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
