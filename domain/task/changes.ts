import type { Decision } from '../types/decision.ts';
import type { TaskEvent } from '../types/events.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import { limits } from '../limits/domain-limits.ts';
import { addMet, learnAnswer, learnFailure } from '../memory/learned.ts';
import { setOwn } from '../util/own-property.ts';
import { climbAfterAnswer } from '../recovery/ladder.ts';
import { clockOf, leaveSlot, makeReady, removeWaiting, takeSlot } from './queues.ts';
import { putRecord } from './records.ts';
import { limitsOf, recordOf, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';
import type { SubtaskState } from './subtask-state.ts';

/** What single events do to the state. Called by `apply` alone. */
type EventOf<Type extends TaskEvent['type']> = TaskEvent & { type: Type };

function openRecord(state: TaskState, id: string): AttemptRecord {
  const record = recordOf(state, id);
  if (record === undefined) throw new Error(`${id} has no attempt`);
  return record;
}

export function startSubtask(state: TaskState, { subtask: id }: EventOf<'subtask.started'>, now: number): void {
  subtaskOf(state, id).startedAt = now;
}

export function startAttempt(state: TaskState, { subtask: id, record, grant }: EventOf<'attempt.started'>): void {
  const subtask = subtaskOf(state, id);
  if (grant !== undefined) subtask.grant = grant;
  subtask.climb = { ...subtask.climb, attempts: record.attempt };
  takeSlot(state, subtask);
  putRecord(state, record);
}

export function suspendAttempt(state: TaskState, event: EventOf<'attempt.suspended'>, now: number): void {
  const subtask = subtaskOf(state, event.subtask);
  const record = openRecord(state, event.subtask);
  const { why, reason, waitMs, goesOn, starved } = event;
  if (why === 'environment') subtask.environmentWaits += 1;
  subtask.suspended = { why, goesOn, ...(starved === undefined ? {} : { starved }) };
  const wait = { at: new Date(now).toISOString(), why, ms: waitMs, reason };
  putRecord(state, { ...record, waits: [...record.waits, wait].slice(-limits.recordedWaits) });
  leaveSlot(state, event.subtask);
  // One without a time of its own is woken by an answer: the decision that follows takes it out of the queue.
  makeReady(state, subtask, waitMs === null ? null : clockOf(state, now) + waitMs);
}

/** What a person said is for the attempt alone: it climbs nothing and is no guidance for a later one. What its program and its checks may do holds on. */
export function wakeAttempt(
  state: TaskState,
  event: EventOf<'attempt.woken' | 'program.permitted' | 'check.decided'>,
): void {
  const subtask = subtaskOf(state, event.subtask);
  if (event.type === 'attempt.woken') subtask.resume = event.resume;
  else if (event.type === 'program.permitted') subtask.permit = event.permit;
  else subtask.checks = [...(subtask.checks ?? []), event.check];
  makeReady(state, subtask, null);
}

export function resumeAttempt(state: TaskState, { subtask: id, grant }: EventOf<'attempt.resumed'>): void {
  const subtask = subtaskOf(state, id);
  if (grant !== undefined) subtask.grant = grant;
  subtask.suspended = null;
  takeSlot(state, subtask);
}

/** It keeps its slot: judges look at files that nobody else may change meanwhile. */
export function startJudging(
  state: TaskState,
  { subtask: id, grant }: EventOf<'attempt.judging' | 'attempt.diagnosing'>,
): void {
  if (grant !== undefined) subtaskOf(state, id).grant = grant;
}

/** What the files contradict is no verdict: there will be another. */
export function noteVerdict(state: TaskState, { subtask: id, outcome }: EventOf<'verdict'>): void {
  if (outcome !== 'inconclusive') subtaskOf(state, id).verdict = outcome;
}

/** Totals of the attempt: what it had used before is counted already. An execution that could not find out tells less, and takes nothing back. */
export function countUse(state: TaskState, event: EventOf<'attempt.used'>): void {
  const record = openRecord(state, event.subtask);
  const used = { ...record.used };
  for (const key of ['costUsd', 'tokens', 'modelCalls', 'toolCalls', 'mutations'] as const) {
    const total = event.used[key] ?? 0;
    const more = total - (used[key] ?? 0);
    if (more <= 0) continue;
    used[key] = total;
    state.budget.used[key] = (state.budget.used[key] ?? 0) + more;
  }
  if (event.used.costUnknown !== undefined) used.costUnknown = event.used.costUnknown;
  if (event.used.costUnknown === 'unusable') state.budget.unpriced ??= { subtask: event.subtask, accepted: false };
  const { models = record.models, transcript = record.transcript, gated = record.gated } = event;
  const { session = record.session, denied = record.denied } = event;
  const { failedCalls = record.failedCalls, toolFailures = record.toolFailures } = event;
  putRecord(state, {
    ...record,
    used,
    reruns: Math.max(record.reruns, event.reruns),
    output: event.output ?? record.output,
    ...(models === undefined ? {} : { models }),
    ...(transcript === undefined ? {} : { transcript }),
    ...(gated === undefined ? {} : { gated }),
    ...(session === undefined ? {} : { session }),
    ...(denied === undefined ? {} : { denied }),
    ...(failedCalls === undefined ? {} : { failedCalls }),
    ...(toolFailures === undefined ? {} : { toolFailures }),
  });
  // What it did not spend is free again, also while its result is checked.
  delete subtaskOf(state, event.subtask).grant;
}

export function countRefusal(state: TaskState, { subtask: id }: EventOf<'tool.refused'>): void {
  const record = openRecord(state, id);
  putRecord(state, { ...record, refusals: (record.refusals ?? 0) + 1 });
}

/** What belongs to one attempt ends with it. */
function dropAttempt(subtask: SubtaskState): void {
  delete subtask.grant;
  delete subtask.resume;
}

export function passAttempt(state: TaskState, { subtask: id, record, result }: EventOf<'attempt.passed'>): void {
  const subtask = subtaskOf(state, id);
  subtask.result = result;
  dropAttempt(subtask);
  subtask.environmentWaits = 0;
  putRecord(state, record);
  leaveSlot(state, id);
}

export function failAttempt(state: TaskState, event: EventOf<'attempt.failed'>, now: number): void {
  const subtask = subtaskOf(state, event.subtask);
  putRecord(state, event.record);
  leaveSlot(state, event.subtask);
  dropAttempt(subtask);
  subtask.environmentWaits = 0;
  rememberFailure(state, subtask, event.record, now);
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

function rememberFailure(state: TaskState, subtask: SubtaskState, record: AttemptRecord, now: number): void {
  const { failure, attempt, files, startedAt, tier, thinking, used, session, denied } = record;
  if (failure === null) return;
  const endedAt = record.endedAt ?? startedAt;
  const failed = {
    ...{ attempt, startedAt, endedAt, tier, thinking, failure, files },
    ...(session === undefined ? {} : { session }),
    ...(denied === undefined ? {} : { denied }),
  };
  subtask.failures = [...subtask.failures, failed].slice(-limits.toldFailures);
  subtask.failed[failure.type] = (subtask.failed[failure.type] ?? 0) + 1;
  const { attempts, costUsd, ms } = subtask.spent;
  subtask.spent = {
    attempts: attempts + 1,
    costUsd: costUsd + used.costUsd,
    ms: ms + Date.parse(endedAt) - Date.parse(startedAt),
  };
  subtask.met = addMet(subtask.met, failure.signature);
  state.log.learned = learnFailure(state.log.learned, { failure, at: now });
}

export function cancelAttempt(
  state: TaskState,
  { subtask: id, files }: EventOf<'attempt.cancelled'>,
  now: number,
): void {
  putRecord(state, { ...openRecord(state, id), files, outcome: 'cancelled', endedAt: new Date(now).toISOString() });
  leaveSlot(state, id);
  const subtask = subtaskOf(state, id);
  dropAttempt(subtask);
  subtask.status = 'pending';
}

/** A result that a person did not accept is a failure that the next attempt is told of. */
export function rejectAttempt(
  state: TaskState,
  { subtask: id, failure }: EventOf<'attempt.rejected'>,
  now: number,
): void {
  const record = recordOf(state, id);
  if (record === undefined) return;
  const rejected: AttemptRecord = { ...record, outcome: 'failed', failure };
  putRecord(state, rejected);
  rememberFailure(state, subtaskOf(state, id), rejected, now);
}

export function runAgain(state: TaskState, { subtask: id, guidance }: EventOf<'subtask.again'>): void {
  const subtask = subtaskOf(state, id);
  subtask.climb = climbAfterAnswer(subtask.climb, limitsOf(state));
  subtask.environmentWaits = 0;
  subtask.strategy = 'guidance';
  if (guidance !== '') subtask.guidance = [...subtask.guidance, guidance].slice(-limits.guidanceTexts);
  makeReady(state, subtask, null);
}

export function openDecision(state: TaskState, decision: Decision): void {
  state.decisions.open.push(decision);
  if (decision.kind === 'escalation') state.decisions.escalations += 1;
  if (decision.subtask === null) return;
  const subtask = subtaskOf(state, decision.subtask);
  subtask.status = 'waiting';
  subtask.decision = decision.id;
  // A standing answer is for the first question about a failure: what an attempt asks in its work is none.
  if (!isOfAttempt(decision)) subtask.decisions += 1;
  removeWaiting(state, decision.subtask);
}

/** Asked in the middle of an attempt, which goes on with the answer. */
const isOfAttempt = (decision: Decision): boolean =>
  decision.kind === 'question' || (decision.kind === 'approval' && decision.action !== undefined);

/** The question is closed. What the answer does is told by the events that follow. */
export function answerDecision(state: TaskState, event: EventOf<'decision.answered'>, now: number): void {
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
  if (decision.subtask !== null) subtaskOf(state, decision.subtask).decision = null;
}

export function steerTask(state: TaskState, { text, subtask }: EventOf<'task.steered'>): void {
  state.control.steering.push({ text, subtask: subtask ?? null });
}

export function pauseOrResume(state: TaskState, event: EventOf<'task.paused' | 'task.resumed'>, now: number): void {
  if (event.type === 'task.paused') pauseTask(state, event, now);
  else resumeTask(state, now);
}

function pauseTask(state: TaskState, { reason, by }: EventOf<'task.paused'>, now: number): void {
  state.control.paused ??= { since: now, reason, by };
}

/** Time that a task stood still does not count against its waits and deadlines. */
function resumeTask(state: TaskState, now: number): void {
  if (state.control.paused === null) return;
  const { since, by } = state.control.paused;
  const stood = now - since;
  for (const id of state.queue.delayed) {
    const subtask = subtaskOf(state, id);
    if (subtask.notBefore !== null) subtask.notBefore += stood;
  }
  // New objects: the event that opened a decision keeps what was true then.
  state.decisions.open = state.decisions.open.map((decision) => {
    if (decision.deadline === null) return decision;
    const openedLater = Math.max(0, Date.parse(decision.openedAt) - since);
    return { ...decision, deadline: new Date(Date.parse(decision.deadline) + stood - openedLater).toISOString() };
  });
  if (by === 'escalations') state.decisions.escalations = 0;
  state.control.pausedMs += stood;
  state.control.paused = null;
}

export function finishTask(state: TaskState): void {
  leavePlanner(state);
  state.control.finishing = true;
}

/** Nobody waits for a new plan any more. What a planner holds that works on one comes back when it has stopped. */
function leavePlanner(state: TaskState): void {
  const grant = state.planner.replan?.grant;
  if (grant !== undefined) state.planner.abandonedGrant = grant;
  delete state.planner.replan;
}

export function changeBudget(state: TaskState, event: EventOf<'budget.warning' | 'budget.raised'>): void {
  if (event.type === 'budget.warning') noteWarning(state, event);
  else raiseBudget(state, event);
}

function noteWarning(state: TaskState, { key }: EventOf<'budget.warning'>): void {
  state.budget.warned.push(key);
}

/** A signal that was not taken: the newest are shown. */
export function noteRefusal(state: TaskState, { reason }: EventOf<'message.refused'>): void {
  state.log.refused = [...state.log.refused, reason].slice(-3);
}

function raiseBudget(state: TaskState, { key, limit }: EventOf<'budget.raised'>): void {
  state.budget.limits = { ...state.budget.limits, [key]: limit };
  state.budget.warned = state.budget.warned.filter((warned) => warned !== key);
  if (key === 'costUsd' && state.budget.unpriced !== undefined)
    state.budget.unpriced = { ...state.budget.unpriced, accepted: true };
}

export function stopTask(state: TaskState, { reason, code }: EventOf<'task.cancelling'>): void {
  if (state.control.cancelling !== null) return;
  state.control.cancelling = reason;
  leavePlanner(state);
  if (code !== undefined) state.control.stopCode = code;
}

export function endTask(state: TaskState, { state: end, reason, code }: EventOf<'task.ended'>, now: number): void {
  state.control.phase = 'ended';
  state.decisions.open = [];
  state.control.ended = { state: end, reason, code: code ?? null, at: now };
}
