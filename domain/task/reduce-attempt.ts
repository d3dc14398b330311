import type { AttemptRecord } from '../types/attempt-record.ts';
import { limits } from '../limits/domain-limits.ts';
import { addMet, learnFailure } from '../memory/learned.ts';
import { climbAfterAnswer } from '../recovery/ladder.ts';
import type { EventOf } from '../types/events.ts';
import { clockOf, leaveSlot, makeReady, takeSlot } from './queues.ts';
import { openRecord, putRecord } from './records.ts';
import { limitsOf, recordOf, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';
import type { SubtaskState } from './subtask-state.ts';

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

export function countRefusal(state: TaskState, { subtask: id }: EventOf<'tool.refused'>): void {
  const record = openRecord(state, id);
  putRecord(state, { ...record, refusals: (record.refusals ?? 0) + 1 });
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

export function runAgain(state: TaskState, { subtask: id, guidance }: EventOf<'subtask.retried'>): void {
  const subtask = subtaskOf(state, id);
  subtask.climb = climbAfterAnswer(subtask.climb, limitsOf(state));
  subtask.environmentWaits = 0;
  subtask.strategy = 'guidance';
  if (guidance !== '') subtask.guidance = [...subtask.guidance, guidance].slice(-limits.guidanceTexts);
  makeReady(state, subtask, null);
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

/** What belongs to one attempt ends with it. */
function dropAttempt(subtask: SubtaskState): void {
  delete subtask.grant;
  delete subtask.resume;
}
