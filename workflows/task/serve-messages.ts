import { condition, currentUpdateInfo, setHandler } from '@temporalio/workflow';
import {
  checkAnswer,
  checkPause,
  checkResume,
  checkSteering,
  type CheckedAnswer,
  type Steering,
} from '../../domain/messages/validate-message.ts';
import { newsFor } from '../../domain/messages/steering.ts';
import { takeAnswer } from '../../domain/decisions/apply-answer.ts';
import { optionRule } from '../../domain/decisions/options/decision-kinds.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import type { LoggedEvent, WantedPlan } from '../../domain/types/events.ts';
import { getOwn } from '../../domain/util/own-property.ts';
import { pageFrom } from '../../domain/views/page-items.ts';
import { showAttempt } from '../../domain/task/records.ts';
import { finishedSubtasks } from '../../domain/task/read-state.ts';
import type { TaskState } from '../../domain/task/state.ts';
import { statusView } from '../../domain/views/task-status.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { utf8Length } from '../../domain/text/text.ts';
import * as messages from './messages.ts';
import { decodeRaw, defineRawSignal, serveQuery } from '../shared/raw-message.ts';
import { editPlan } from './edit-plan.ts';
import { refuse, refusing } from '../shared/refuse.ts';
import type { TaskRun } from './run/task-run.ts';

/** A message: a check that throws what a person should read, and what it does once it is taken. */
interface Message<Payload, Result> {
  check(payload: unknown): Payload;
  take(payload: Payload): Result;
  /** In place of `take`, where somebody else must look at it first; undefined: nobody must. */
  takeLater?(payload: Payload): Promise<Result> | undefined;
  /** The result of the same update when it was taken before, maybe in an earlier run. */
  again(payload: unknown): Result | undefined;
}

export function serveMessages(run: TaskRun): void {
  const { descriptions } = messages;
  const { decide, steer, pause, resume } = buildMessages(run);
  const options = <P, R>(name: keyof typeof descriptions, message: Message<P, R>) => ({
    description: descriptions[name],
    validator: (payload: unknown) => validate(run, message, payload),
  });
  setHandler(messages.decide, (payload) => take(run, decide, payload), options('decide', decide));
  setHandler(messages.steer, (payload) => take(run, steer, payload), options('steer', steer));
  setHandler(messages.pause, (payload) => take(run, pause, payload), options('pause', pause));
  setHandler(messages.resume, (payload) => take(run, resume, payload), options('resume', resume));
  const serveSignal = <P, R>(name: messages.MessageName, message: Message<P, R>): void =>
    setHandler(defineRawSignal(name), takeSignal(run, name, message), { description: descriptions[name] });
  serveSignal('decide', decide);
  serveSignal('steer', steer);
  serveSignal('pause', pause);
  serveSignal('resume', resume);
  serveQueries(run);
}

function buildMessages(run: TaskRun) {
  const accepted: messages.Accepted = { taskId: run.state.id };
  const again = (): messages.Accepted | undefined =>
    run.updateIds.includes(currentUpdateInfo()?.id ?? '') ? accepted : undefined;
  const decide: Message<CheckedAnswer, messages.DecideResult> = {
    check: (payload) => checkAnswer(run.state, payload, run.now),
    take: ({ decision, answer }) => {
      takeAnswer(run, decision, answer, { updateId: currentUpdateInfo()?.id ?? null, source: 'person' });
      return { taskId: run.state.id, decisionId: answer.decisionId, option: answer.option };
    },
    takeLater: ({ decision, answer }) =>
      optionRule(decision, answer.option).effect === 'edit-plan' ? editPlan(run, answer) : undefined,
    again: (payload) => answeredBefore(run, payload),
  };
  const steer: Message<Steering, messages.Accepted> = {
    check: (payload) => checkSteering(run.state, payload),
    take: ({ replan, ...steering }) => {
      run.record({ type: 'task.steered', ...steering });
      if (replan === true) {
        const wanted: WantedPlan = { reason: formatWanted(steering), trigger: 'steering', subtasks: [] };
        run.record({ type: 'replan.asked', wanted });
      }
      return accepted;
    },
    again,
  };
  // A second pause or resume is no error and no news.
  const pause: Message<messages.Pause, messages.Accepted> = {
    check: checkPause,
    take: ({ reason }) => {
      if (run.state.control.paused === null)
        run.record({ type: 'task.paused', reason: reason ?? 'a person paused it', by: 'person' });
      return accepted;
    },
    again,
  };
  const resume: Message<void, messages.Accepted> = {
    check: checkResume,
    take: () => {
      if (run.state.control.paused !== null) run.record({ type: 'task.resumed' });
      return accepted;
    },
    again,
  };
  return { decide, steer, pause, resume };
}

const formatWanted = ({ text, subtask }: Steering): string =>
  subtask === undefined ? text : `For ${subtask}: ${text}`;

async function take<P, Result>(run: TaskRun, message: Message<P, Result>, payload: unknown): Promise<Result> {
  run.messages += 1;
  if (!run.ready) await condition(() => run.ready);
  const first = message.again(payload);
  if (first !== undefined) return first;
  const checked = refusing(() => message.check(payload));
  const later = message.takeLater?.(checked);
  const result = later === undefined ? message.take(checked) : await later.catch(refuse);
  const id = currentUpdateInfo()?.id;
  if (id !== undefined) run.updateIds.push(id);
  return result;
}

/**
 * Synchronous by necessity: the SDK ignores what a validator returns. Before the state is there nothing can be checked: then the
 * message is taken in, and refused later if need be.
 */
function validate<Payload, Result>(run: TaskRun, message: Message<Payload, Result>, payload: unknown): void {
  if (!run.ready || message.again(payload) !== undefined) return;
  refusing(() => message.check(payload));
}

/** A signal cannot be refused, so its refusal is written down where people look. */
function takeSignal<Payload, Result>(run: TaskRun, name: string, message: Message<Payload, Result>) {
  return async (argument: unknown): Promise<void> => {
    run.messages += 1;
    if (!run.ready) await condition(() => run.ready);
    try {
      const checked = message.check(decodeRaw(argument));
      const later = message.takeLater?.(checked);
      if (later === undefined) message.take(checked);
      else await later;
    } catch (error) {
      if (!(error instanceof HeddleError)) throw error;
      run.record({ type: 'message.refused', message: name, reason: `${error.message} (${error.code})` });
    }
  };
}

function answeredBefore(run: TaskRun, payload: unknown): messages.DecideResult | undefined {
  const updateId = currentUpdateInfo()?.id;
  const decisionId =
    typeof payload === 'object' && payload !== null && 'decisionId' in payload ? payload.decisionId : undefined;
  if (updateId === undefined || typeof decisionId !== 'string') return undefined;
  const first = getOwn(run.state.decisions.answered, decisionId);
  if (first === undefined || first.updateId !== updateId) return undefined;
  return { taskId: run.state.id, decisionId, option: first.option };
}

function serveQueries(run: TaskRun): void {
  const { descriptions } = messages;
  /** The state, once there is one. */
  const loadedState = (): TaskState => {
    if (!run.ready) throw new Error(messages.loadingMessage);
    return run.state;
  };
  serveQuery(messages.status, () => statusView(loadedState(), Date.now()), descriptions.status);
  serveQuery(messages.plan, () => planView(loadedState()), descriptions.plan);
  serveQuery(
    messages.attempts,
    (query) => {
      const {
        log: { archive, records },
      } = loadedState();
      return pageFrom(records, showAttempt, { from: (query?.after ?? 0) - (archive.attempts.at(-1)?.to ?? 0) });
    },
    descriptions.attempts,
  );
  serveQuery(
    messages.events,
    (query) => {
      const {
        id: taskId,
        log: { events },
      } = loadedState();
      const first = events[0]?.id ?? 1;
      const since = query?.since ?? 0;
      const show = (event: LoggedEvent) => ({ ...event, taskId });
      return pageFrom(events, show, { from: since + 1 - first, most: query?.limit });
    },
    descriptions.events,
  );
  serveQuery(
    messages.results,
    (query) => pageFrom(finishedSubtasks(loadedState()), (work) => work, { from: query?.after ?? 0 }),
    descriptions.results,
  );
  serveQuery(messages.steering, (query) => newsFor(loadedState(), query), descriptions.steering);
  serveQuery(messages.archive, () => loadedState().log.archive, descriptions.archive);
}

function planView({ plan: { settings, current: plan } }: TaskState): messages.PlanView | null {
  if (settings === null || plan === null) return null;
  const { version, rows, pages, definitions, written } = plan;
  const made = written === undefined ? {} : { written };
  const view = { ...settings, planVersion: version, subtasks: definitions ?? rows, pages, ...made };
  // The pages hold it all; what does not fit into an answer is read there.
  return utf8Length(JSON.stringify(view)) <= limits.answerBytes ? view : { ...view, subtasks: [] };
}
