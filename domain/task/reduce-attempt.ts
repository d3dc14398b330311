import type { AttemptRecord } from '../types/attempt-record.ts';
import { countRejected, countShown, type LessonUses } from '../lessons/lesson-uses.ts';
import { limits } from '../limits/domain-limits.ts';
import { addMet, learnFailure } from '../memory/learned.ts';
import { climbAfterAnswer } from '../recovery/ladder.ts';
import type { EventOf } from '../types/events.ts';
import { enterPhase } from './enter-phase.ts';
import { openRecord, putRecord } from './records.ts';
import { countTry, grantTry, keepItem } from './reduce-remedy.ts';
import { clockOf, limitsOf, recordOf, subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';
import { suspensionOf, type Phase, type Suspension } from './subtask-phase.ts';
import type { SubtaskState } from './subtask-state.ts';

export function startSubtask(state: TaskState, { subtask: id }: EventOf<'subtask.started'>, now: number): void {
  subtaskOf(state, id).startedAt = now;
}

export function startAttempt(state: TaskState, { subtask: id, record, grant }: EventOf<'attempt.started'>): void {
  const subtask = subtaskOf(state, id);
  subtask.climb = { ...subtask.climb, attempts: record.attempt };
  countTry(state, subtask, record.attempt);
  enterPhase(state, subtask, 'attempt.started', { name: 'running', ...(grant === undefined ? {} : { grant }) });
  putRecord(state, record);
}

export function markSuspended(state: TaskState, event: EventOf<'attempt.suspended'>, now: number): void {
  const subtask = subtaskOf(state, event.subtask);
  const record = openRecord(state, event.subtask);
  const { why, reason, waitMs, resumeFrom, needsFullGrant } = event;
  if (why === 'environment') subtask.environmentWaits += 1;
  const wait = { at: new Date(now).toISOString(), why, ms: waitMs, reason };
  putRecord(state, { ...record, waits: [...record.waits, wait].slice(-limits.recordedWaits) });
  const { grant, reply } = runningPhase(subtask);
  const suspension: Suspension = {
    ...{ why, resumeFrom },
    ...(needsFullGrant === undefined ? {} : { needsFullGrant }),
    ...(grant === undefined ? {} : { grant }),
    ...(reply === undefined ? {} : { reply }),
  };
  // One without a time of its own is resumed by an answer: the decision that follows takes it out of the queue.
  const notBefore = waitMs === null ? null : clockOf(state, now) + waitMs;
  enterPhase(state, subtask, 'attempt.suspended', { name: 'suspended', notBefore, suspension });
}

function runningPhase({ id, phase }: SubtaskState): Phase & { name: 'running' } {
  if (phase.name !== 'running') throw new Error(`${id} is ${phase.name}, not running`);
  return phase;
}

/** A reply is for the attempt alone: it climbs nothing and is no guidance for a later one. What its program and its checks may do holds on. */
export function wakeAttempt(
  state: TaskState,
  event: EventOf<'attempt.answered' | 'program.permitted' | 'check.decided'>,
): void {
  const subtask = subtaskOf(state, event.subtask);
  if (event.type === 'program.permitted') subtask.permit = event.permit;
  if (event.type === 'check.decided') subtask.checkAnswers = [...(subtask.checkAnswers ?? []), event.check];
  const reply = event.type === 'attempt.answered' ? { reply: event.reply } : {};
  const suspension = suspensionOf(subtask);
  enterPhase(
    state,
    subtask,
    event.type,
    suspension === undefined
      ? { name: 'ready' }
      : { name: 'suspended', notBefore: null, suspension: { ...suspension, ...reply } },
  );
}

export function resumeAttempt(state: TaskState, { subtask: id, grant: given }: EventOf<'attempt.resumed'>): void {
  const subtask = subtaskOf(state, id);
  const { reply, grant = given } = suspensionOf(subtask) ?? {};
  enterPhase(state, subtask, 'attempt.resumed', {
    name: 'running',
    ...(given === undefined ? (grant === undefined ? {} : { grant }) : { grant: given }),
    ...(reply === undefined ? {} : { reply }),
  });
}

/** It keeps its slot: judges look at files that nobody else may change meanwhile. */
export function startJudging(
  state: TaskState,
  { subtask: id, grant }: EventOf<'attempt.judging' | 'attempt.diagnosing'>,
): void {
  if (grant !== undefined) runningPhase(subtaskOf(state, id)).grant = grant;
}

export function countRefusal(state: TaskState, { subtask: id }: EventOf<'tool.refused'>): void {
  const record = openRecord(state, id);
  putRecord(state, { ...record, refusals: (record.refusals ?? 0) + 1 });
}

export function passAttempt(state: TaskState, { subtask: id, record, result }: EventOf<'attempt.passed'>): void {
  const subtask = subtaskOf(state, id);
  subtask.environmentWaits = 0;
  putRecord(state, record);
  countLessons(state, record, countShown);
  takeEvidence(subtask, record);
  const passed = { verdict: record.verdict ?? 'pass', result };
  enterPhase(state, subtask, 'attempt.passed', { name: 'passed', passed });
}

export function failAttempt(state: TaskState, event: EventOf<'attempt.failed'>, now: number): void {
  const subtask = subtaskOf(state, event.subtask);
  putRecord(state, event.record);
  countLessons(state, event.record, countShown);
  takeEvidence(subtask, event.record);
  subtask.environmentWaits = 0;
  rememberFailure(state, subtask, event.record, now);
  const { next, waitMs } = event;
  // Without another attempt, what comes next is told by an event of its own: a decision, the end of the subtask, or of the task.
  if (next.kind === 'remedy' || next.kind === 'owed') keepItem(state, subtask, next.item);
  const isTriedAgain = next.kind === 'climb' || (next.kind === 'remedy' && next.then === 'try');
  if (!isTriedAgain) return enterPhase(state, subtask, 'attempt.failed', { name: 'unresolved' });
  if (next.kind === 'climb') {
    subtask.climb = next.climb;
    subtask.hint = next.hint ?? null;
    subtask.strategy = next.strategy;
  }
  const phase: Phase = waitMs > 0 ? { name: 'delayed', notBefore: clockOf(state, now) + waitMs } : { name: 'ready' };
  enterPhase(state, subtask, 'attempt.failed', phase);
}

/** The newest page holds the records of all attempts. */
function takeEvidence(subtask: SubtaskState, { evidence }: AttemptRecord): void {
  if (evidence !== undefined) subtask.evidence = evidence;
}

export function cancelAttempt(
  state: TaskState,
  { subtask: id, files }: EventOf<'attempt.cancelled'>,
  now: number,
): void {
  putRecord(state, { ...openRecord(state, id), files, outcome: 'cancelled', endedAt: new Date(now).toISOString() });
  enterPhase(state, subtaskOf(state, id), 'attempt.cancelled', { name: 'unresolved' });
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
  countLessons(state, rejected, countRejected);
  rememberFailure(state, subtaskOf(state, id), rejected, now);
}

export function runAgain(state: TaskState, { subtask: id, guidance }: EventOf<'subtask.retried'>, now: number): void {
  const subtask = subtaskOf(state, id);
  subtask.climb = climbAfterAnswer(subtask.climb, limitsOf(state));
  subtask.environmentWaits = 0;
  subtask.strategy = 'guidance';
  grantTry(state, subtask, now);
  if (guidance !== '') subtask.guidance = [...subtask.guidance, guidance].slice(-limits.guidanceTexts);
  enterPhase(state, subtask, 'subtask.retried', { name: 'ready' });
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
  subtask.failureCounts[failure.type] = (subtask.failureCounts[failure.type] ?? 0) + 1;
  const { attempts, costUsd, ms } = subtask.spentOnFailures;
  subtask.spentOnFailures = {
    attempts: attempts + 1,
    costUsd: costUsd + used.costUsd,
    ms: ms + Date.parse(endedAt) - Date.parse(startedAt),
  };
  subtask.failureSignatures = addMet(subtask.failureSignatures, failure.signature);
  state.log.learned = learnFailure(state.log.learned, { failure, at: now });
}

/** An attempt without lessons leaves no trace. */
function countLessons(
  state: TaskState,
  record: AttemptRecord,
  count: (uses: LessonUses, record: AttemptRecord) => LessonUses,
): void {
  if (record.lessons === undefined) return;
  state.log.lessons = { ...state.log.lessons, uses: count(state.log.lessons?.uses ?? {}, record) };
}
