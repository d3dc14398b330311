import { budgetKeyOf, raisedLimit } from './budget.ts';
import { rejectedByPerson } from '../failure/classify.ts';
import { valueText } from '../decisions/decision.ts';
import type { Answer, Decision } from '../model/decision.ts';
import type { TaskEvent } from '../model/events.ts';
import type { AttemptRecord } from '../model/record.ts';
import { climbAfterAnswer, firstClimb } from '../recovery/ladder.ts';
import { limits } from '../limits.ts';
import { describeEvent } from './narrate.ts';
import {
  definitionOf,
  hasEnded,
  recordOf,
  subtaskOf,
  type SubtaskState,
  type SubtaskStatus,
  type TaskState,
} from './state.ts';
import type { Task } from '../model/task.ts';
import type { Subtask } from '../model/subtask.ts';

/**
 * The only thing that changes a task's state: deterministic, no clock, no I/O. It changes the value in place, since a copy of
 * all subtasks at each of their events would make a large plan quadratic.
 */
export function apply(state: TaskState, event: TaskEvent, now: number): void {
  reduce(state, event, now);
  const told = describeEvent(event);
  if (told === null) return;
  state.lastEventId += 1;
  state.events.push({ id: state.lastEventId, time: new Date(now).toISOString(), ...told });
}

function reduce(state: TaskState, event: TaskEvent, now: number): void {
  switch (event.type) {
    case 'task.started':
      return;
    case 'plan.ready':
      return takePlan(state, event.task);
    case 'subtask.started':
      subtaskOf(state, event.subtask).startedAt = now;
      return;
    case 'attempt.started':
      return startAttempt(state, event.subtask, event.record);
    case 'attempt.resumed':
      return takeSlot(state, subtaskOf(state, event.subtask));
    case 'attempt.rerun':
      return rerunAttempt(state, event, now);
    case 'verdict':
      subtaskOf(state, event.subtask).verdict = event.outcome;
      return;
    case 'attempt.passed':
      subtaskOf(state, event.subtask).result = event.result;
      putRecord(state, event.record);
      addUse(state, event.record);
      return leaveSlot(state, event.subtask);
    case 'attempt.failed':
      return failAttempt(state, event, now);
    case 'subtask.completed':
    case 'subtask.failed':
    case 'subtask.skipped':
    case 'subtask.blocked':
      return endSubtask(state, event, now);
    case 'decision.opened':
      return openDecision(state, event.decision);
    case 'decision.answered':
      return answerDecision(state, event, now);
    default:
      return changeTask(state, event, now);
  }
}

/** What happens to the task as a whole. */
function changeTask(state: TaskState, event: TaskEvent, now: number): void {
  switch (event.type) {
    case 'task.steered':
      state.steering.push({ text: event.text, subtask: event.subtask ?? null });
      if (state.steering.length > limits.steeringTexts) state.steering.shift();
      return;
    case 'task.paused':
      state.paused ??= { since: now, reason: event.reason, by: event.by };
      return;
    case 'task.resumed':
      return resume(state, now);
    case 'budget.warning':
      state.warned.push(event.key);
      return;
    case 'message.refused':
      state.refused.push(event.reason);
      if (state.refused.length > 3) state.refused.shift();
      return;
    case 'task.cancelling':
      state.cancelling ??= event.reason;
      return;
    case 'task.ended':
      state.phase = 'ended';
      state.decisions = [];
      state.ended = { state: event.state, reason: event.reason, code: event.code ?? null, at: now };
      return;
    default:
      return;
  }
}

function takePlan(state: TaskState, task: Task): void {
  state.task = task;
  state.budget = { ...task.budget };
  for (const { signature, option, instruction, by } of task.memory?.answers ?? []) {
    state.standing[signature] = {
      decisionId: '',
      option,
      ...(instruction === undefined ? {} : { instruction }),
      ...(by === undefined ? {} : { by }),
    };
  }
  state.phase = 'running';
  state.planVersion += 1;
  for (const [index, subtask] of task.subtasks.entries()) {
    state.subtasks[subtask.id] = newSubtask(subtask);
    state.index[subtask.id] = index;
    state.dependents[subtask.id] = [];
  }
  for (const subtask of task.subtasks) {
    for (const dependency of subtask.dependsOn) state.dependents[dependency]?.push(subtask.id);
    if (subtask.dependsOn.length === 0) state.ready.push(subtask.id);
    state.open += 1;
    if (!subtask.synthesis) state.openNormal += 1;
  }
}

function newSubtask(subtask: Subtask): SubtaskState {
  return {
    id: subtask.id,
    status: 'pending',
    waitsFor: subtask.dependsOn.length,
    climb: firstClimb(subtask.maxAttempts),
    resumes: false,
    notBefore: null,
    environmentWaits: 0,
    guidance: [],
    hint: null,
    strategy: 'first',
    decision: null,
    decisions: 0,
    verdict: null,
    result: null,
    reason: null,
    startedAt: null,
    endedAt: null,
  };
}

function startAttempt(state: TaskState, id: string, record: AttemptRecord): void {
  const subtask = subtaskOf(state, id);
  subtask.climb = { ...subtask.climb, attempts: record.attempt };
  takeSlot(state, subtask);
  putRecord(state, record);
}

function takeSlot(state: TaskState, subtask: SubtaskState): void {
  subtask.status = 'running';
  subtask.notBefore = null;
  subtask.resumes = false;
  removeWaiting(state, subtask.id);
  state.running.push(subtask.id);
}

function leaveSlot(state: TaskState, id: string): void {
  remove(state.running, id);
}

function rerunAttempt(state: TaskState, event: TaskEvent & { type: 'attempt.rerun' }, now: number): void {
  if (event.reason === 'crash') return;
  const subtask = subtaskOf(state, event.subtask);
  subtask.environmentWaits += 1;
  subtask.resumes = true;
  putRecord(state, event.record);
  leaveSlot(state, event.subtask);
  makeReady(state, subtask, clockOf(state, now) + event.waitMs);
}

function failAttempt(state: TaskState, event: TaskEvent & { type: 'attempt.failed' }, now: number): void {
  const subtask = subtaskOf(state, event.subtask);
  putRecord(state, event.record);
  addUse(state, event.record);
  leaveSlot(state, event.subtask);
  subtask.environmentWaits = 0;
  const { next } = event;
  if (next.kind === 'climb') {
    subtask.climb = next.climb;
    subtask.hint = next.hint ?? null;
    subtask.strategy = next.strategy;
    makeReady(state, subtask, event.waitMs > 0 ? clockOf(state, now) + event.waitMs : null);
  } else {
    // What comes next is told by an event of its own: a decision, the end of the subtask, or of the task.
    subtask.status = 'pending';
  }
}

/** The time for waits: it stands still in a pause, and `resume` moves what waits by the length of it. */
const clockOf = (state: TaskState, now: number): number => state.paused?.since ?? now;

function makeReady(state: TaskState, subtask: SubtaskState, notBefore: number | null): void {
  subtask.status = 'pending';
  subtask.notBefore = notBefore;
  (notBefore === null ? state.ready : state.delayed).push(subtask.id);
}

type EndingEvent = Extract<
  TaskEvent,
  { type: 'subtask.completed' | 'subtask.failed' | 'subtask.skipped' | 'subtask.blocked' }
>;

const endings: Record<EndingEvent['type'], SubtaskStatus> = {
  'subtask.completed': 'completed',
  'subtask.failed': 'failed',
  'subtask.skipped': 'skipped',
  'subtask.blocked': 'blocked',
};

function endSubtask(state: TaskState, event: EndingEvent, now: number): void {
  const subtask = subtaskOf(state, event.subtask);
  if (event.type === 'subtask.blocked' && event.waits) return;
  if (hasEnded(subtask.status)) throw new Error(`${event.subtask} has already ended as ${subtask.status}`);
  subtask.status = endings[event.type];
  subtask.endedAt = now;
  subtask.decision = null;
  // Nobody's answer can matter any more, and a result that was not accepted is none.
  state.decisions = state.decisions.filter((open) => open.subtask !== event.subtask);
  if (event.type !== 'subtask.completed') {
    subtask.reason = event.reason;
    subtask.result = null;
  } else if (event.reused !== undefined) {
    subtask.result = event.reused.result;
    subtask.verdict = event.verdict;
  }
  const record = recordOf(state, event.subtask);
  if (record?.outcome === 'running')
    putRecord(state, { ...record, outcome: 'cancelled', endedAt: new Date(now).toISOString() });
  removeWaiting(state, event.subtask);
  remove(state.running, event.subtask);
  state.open -= 1;
  if (!definitionOf(state, event.subtask).synthesis) state.openNormal -= 1;
  if (event.type === 'subtask.completed' || event.type === 'subtask.skipped') freeDependents(state, event.subtask);
}

function freeDependents(state: TaskState, id: string): void {
  for (const dependent of state.dependents[id] ?? []) {
    const subtask = subtaskOf(state, dependent);
    subtask.waitsFor -= 1;
    if (subtask.waitsFor === 0 && subtask.status === 'pending') state.ready.push(dependent);
  }
}

function openDecision(state: TaskState, decision: Decision): void {
  state.decisions.push(decision);
  if (decision.kind === 'escalation') state.escalations += 1;
  if (decision.subtask === null) return;
  const subtask = subtaskOf(state, decision.subtask);
  subtask.status = 'waiting';
  subtask.decision = decision.id;
  subtask.decisions += 1;
  removeWaiting(state, decision.subtask);
}

/** Options that let a subtask run again. What the others do is told by the events that follow. */
const runsAgain: ReadonlySet<string> = new Set(['retry', 'fix', 'simpler', 'provide-credentials', 'edit', 'reject']);

function answerDecision(state: TaskState, event: TaskEvent & { type: 'decision.answered' }, now: number): void {
  const { answer } = event;
  const decision = state.decisions.find((open) => open.id === answer.decisionId);
  if (decision === undefined) throw new Error(`decision ${answer.decisionId} is not open`);
  state.decisions = state.decisions.filter((open) => open !== decision);
  state.answered[decision.id] = { decision, answer, at: new Date(now).toISOString(), updateId: event.updateId };
  if (event.standing === true) state.escalations -= 1;
  if (answer.scope === 'signature' && decision.signature !== null) state.standing[decision.signature] = answer;
  if (decision.kind === 'budget' && answer.option === 'raise') raiseBudget(state, decision, answer);
  if (decision.subtask === null) return;
  const subtask = subtaskOf(state, decision.subtask);
  subtask.decision = null;
  if (!runsAgain.has(answer.option)) return;
  if (decision.kind === 'approval') rejectResult(state, decision.subtask, answer);
  subtask.climb = climbAfterAnswer(subtask.climb);
  subtask.environmentWaits = 0;
  subtask.strategy = 'guidance';
  const guidance = guidanceOf(answer);
  if (guidance !== '') subtask.guidance.push(guidance);
  if (subtask.guidance.length > limits.guidanceTexts) subtask.guidance.shift();
  makeReady(state, subtask, null);
}

/** A result that a person did not accept is a failure that the next attempt is told of. */
function rejectResult(state: TaskState, id: string, answer: Answer): void {
  const record = recordOf(state, id);
  if (record === undefined) return;
  putRecord(state, { ...record, outcome: 'failed', ...rejectedByPerson(guidanceOf(answer)) });
}

function guidanceOf(answer: Answer): string {
  const said = [answer.instruction, valueText(answer)]
    .filter((text) => text !== undefined && text.trim() !== '')
    .join('\n');
  switch (answer.option) {
    case 'simpler':
      return `Do a simpler version: only the core of what is asked.${said === '' ? '' : `\n${said}`}`;
    case 'provide-credentials':
      return said === '' ? '' : `The credentials are there now: ${said}`;
    case 'reject':
      return `The last result was not accepted.${said === '' ? '' : ` Reason: ${said}`}`;
    default:
      return said;
  }
}

/** The new limit is the number that was given, or twice the old one. A budget's decision is named after its key. */
function raiseBudget(state: TaskState, decision: Decision, answer: Answer): void {
  const key = budgetKeyOf(decision);
  const old = state.budget[key] ?? 0;
  state.budget = { ...state.budget, [key]: raisedLimit(key, old, answer.value) ?? old * 2 };
  remove(state.warned, key);
}

function addUse(state: TaskState, record: AttemptRecord): void {
  if (record.costUsd > 0) state.used.costUsd = (state.used.costUsd ?? 0) + record.costUsd;
  if (record.tokens > 0) state.used.tokens = (state.used.tokens ?? 0) + record.tokens;
}

/** Time that a task stood still does not count against its waits and deadlines. */
function resume(state: TaskState, now: number): void {
  if (state.paused === null) return;
  const stood = now - state.paused.since;
  for (const id of state.delayed) {
    const subtask = subtaskOf(state, id);
    if (subtask.notBefore !== null) subtask.notBefore += stood;
  }
  const { since } = state.paused;
  // New objects: the event that opened a decision keeps what was true then.
  state.decisions = state.decisions.map((decision) => {
    if (decision.deadline === null) return decision;
    const openedLater = Math.max(0, Date.parse(decision.openedAt) - since);
    return { ...decision, deadline: new Date(Date.parse(decision.deadline) + stood - openedLater).toISOString() };
  });
  if (state.paused.by === 'escalations') state.escalations = 0;
  state.pausedMs += stood;
  state.paused = null;
}

function putRecord(state: TaskState, record: AttemptRecord): void {
  const last = state.lastRecord[record.subtask];
  if (last !== undefined && state.records[last]?.attempt === record.attempt) {
    state.records[last] = record;
    return;
  }
  state.lastRecord[record.subtask] = state.records.length;
  state.records.push(record);
}

function removeWaiting(state: TaskState, id: string): void {
  remove(state.ready, id);
  remove(state.delayed, id);
}

function remove(list: string[], item: string): void {
  const index = list.indexOf(item);
  if (index !== -1) list.splice(index, 1);
}
