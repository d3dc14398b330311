import type { Verdict } from '../types/attempt.ts';
import type { Approval, OnTimeout } from '../types/decision.ts';
import type { Result, ResumePoint } from '../types/events.ts';
import type { Failure } from '../types/basic/failure.ts';
import type { NextStep } from '../types/ladder.ts';
import type { Owed } from '../types/remedy.ts';
import type { Tier } from '../types/subtask.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import { buildOptions } from '../decisions/options/decision-kinds.ts';
import { buildFailure } from '../failure/build-failure.ts';
import { limits } from '../limits/domain-limits.ts';
import { findKnownFix } from '../memory/memory.ts';
import { climbAfter } from '../recovery/ladder.ts';
import { strategyFor } from '../failure/recovery-strategies.ts';
import { countIndependent } from '../schedule/schedule.ts';
import {
  clockOf,
  freeDecisionId,
  limitsOf,
  openItem,
  recordOf,
  resolveLadder,
  rowOf,
  subtaskOf,
  waitBeforeTry,
} from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { formatCount } from '../text/text.ts';
import { approvalStep, confidence } from './confidence.ts';
import type { RunningTask } from '../task/running-task.ts';
import { completePassed } from '../ending/complete-passed.ts';
import { endOwed } from '../ending/end-owed.ts';
import { failSubtask } from '../ending/fail-subtask.ts';
import { giveUp } from '../ending/give-up.ts';
import { mayOwe, nextAfterTry, openRemedy } from '../remediation/next-try.ts';
import { escalation } from '../decisions/escalate.ts';
import { takeStanding } from '../decisions/apply-answer.ts';
import { watchBudget } from '../decisions/watch-budget.ts';

/** Decides what follows from a result that passed: it is completed, a person is asked, or nobody can be sure enough of it. */
export function afterAttemptPassed(task: RunningTask, passed: AttemptRecord, verdict: Verdict, result: Result): void {
  const { state } = task;
  const { subtask: id, attempt } = passed;
  const score = computeConfidence(state, passed, verdict);
  const record: AttemptRecord = { ...passed, confidence: score };
  const approval = state.plan.settings?.approval ?? { mode: 'off', at: 1, onTimeout: 'wait' };
  const isAsked = needsPerson(state, id, verdict);
  const step = isAsked ? 'ask' : approvalStep(approval, score, limitsOf(state));
  if (step === 'fail') return failUnsure(task, record, score);
  task.record({ type: 'attempt.passed', subtask: id, attempt, record, result });
  if (step === 'proceed') {
    completePassed(task, id, verdict.outcome);
  } else {
    const timeout = approval.timeout ?? limits.answerWithin;
    const { onTimeout: policy } = approval;
    const middle = step === 'ask-then-proceed' && policy === 'wait' ? 'proceed' : policy;
    // Time alone never accepts what nothing checked.
    const onTimeout = isAsked && policy === 'proceed' ? 'wait' : middle;
    task.record({ type: 'decision.opened', decision: buildApproval(task, id, score, timeout, onTimeout) });
  }
  watchBudget(task);
}

/** True when a person has to accept a result because a model planned the work and nothing checked it. */
const needsPerson = (state: TaskState, id: string, { outcome }: Verdict): boolean =>
  outcome === 'unchecked' &&
  rowOf(state, id).whenUnchecked !== undefined &&
  state.plan.settings?.allowUnchecked !== true;

function computeConfidence(state: TaskState, record: AttemptRecord, { checks }: Verdict): number {
  const { attempt, judgement, used, failedCalls = 0 } = record;
  const destructive = record.gated === true;
  const { toolCalls = 0 } = used;
  return confidence({
    checks: checks.total === 0 ? 0 : checks.passed / checks.total,
    ...(judgement === undefined ? {} : { judge: judgement.confidence }),
    retries: attempt - 1,
    maxAttempts: subtaskOf(state, record.subtask).climb.maxAttempts,
    destructive,
    tools: toolCalls === 0 ? 1 : 1 - failedCalls / toolCalls,
  });
}

/** It passed, and nobody would rely on it: another attempt would know no more than this one, so a person is asked. */
function failUnsure(task: RunningTask, passed: AttemptRecord, score: number): void {
  const { state } = task;
  const { failBelow } = limitsOf(state);
  const isUnchecked = passed.verdict === 'unchecked';
  const what = isUnchecked ? 'Nothing checked the result, and' : 'The result passed, but';
  const summary = `${what} the confidence in it is ${score.toFixed(2)}, below ${failBelow}.`;
  const checks = isUnchecked ? 'Nothing else checks the result' : 'The checks passed';
  const fix = `${checks}: check the result more closely and leave nothing in it that is uncertain.`;
  const failure = buildFailure('verification-failed', {
    summary,
    fix,
    signed: 'low-confidence',
    hasExplanation: false,
  });
  const record: AttemptRecord = { ...passed, outcome: 'failed', failure };
  if (isStopping(task, record, failure)) return;
  endAttempt(task, record, failure, stepAboveLadder(state, record.subtask), { score });
}

/**
 * Decides what a failed attempt leads to: a wait, another rung, a person, or the end of the subtask. `isSpent`: a retry
 * policy has waited already for it to pass; `resumeFrom`: where the attempt continues after a wait.
 */
export function afterAttemptFailed(
  task: RunningTask,
  record: AttemptRecord,
  failure: Failure,
  { isSpent, resumeFrom, owed }: { isSpent: boolean; resumeFrom: ResumePoint; owed?: Owed },
): void {
  const { state } = task;
  const { subtask: id, attempt } = record;
  if (isStopping(task, record, failure)) return;
  if (waitsForWorld(state, id, failure, isSpent)) {
    const { environmentWaits } = subtaskOf(state, id);
    const { first, factor, most } = limitsOf(state).environmentWait;
    const waitMs = Math.min(first * factor ** environmentWaits, most);
    const reason = failure.summary;
    task.record({
      type: 'attempt.suspended',
      subtask: id,
      attempt,
      why: 'environment',
      reason,
      waitMs,
      resumeFrom,
    });
    return;
  }
  endAttempt(task, record, failure, nextStep(state, id, { failure, owed, now: task.now }));
}

/** True where the attempt waits for the machine or a service, and does not end. */
export function waitsForWorld(state: TaskState, id: string, { category }: Failure, isSpent: boolean): boolean {
  const mayPass = category === 'environment' || (category === 'transient' && !isSpent);
  return mayPass && subtaskOf(state, id).environmentWaits < limitsOf(state).environmentWait.times;
}

/** A task that ends tries nothing more. */
function isStopping(task: RunningTask, record: AttemptRecord, failure: Failure): boolean {
  const { state } = task;
  if (state.control.cancelling === null && !state.control.finishing) return false;
  const { subtask: id, attempt } = record;
  const next = { kind: 'stopped' } as const;
  task.record({ type: 'attempt.failed', subtask: id, attempt, record, failure, next, waitMs: 0 });
  if (state.control.cancelling !== null) return true;
  if (openItem(state, id) === undefined) failSubtask(task, id, failure.summary);
  else giveUp(task, id, failure.summary, state.control.finishedBy);
  return true;
}

function endAttempt(
  task: RunningTask,
  record: AttemptRecord,
  failure: Failure,
  next: NextStep,
  details: { score?: number } = {},
): void {
  const { subtask: id, attempt } = record;
  const waitMs = computeWait(task.state, id, failure, next);
  const plain = plainTier(task.state, id, next);
  task.record({ type: 'attempt.failed', subtask: id, attempt, record, failure, next, waitMs, ...plain });
  if (next.kind === 'person') askPerson(task, id, failure, { because: next.because, ...details });
  if (next.kind === 'fail') failSubtask(task, id, failure.summary);
  if (next.kind === 'remedy') queueRemedy(task, id, next);
  if (next.kind === 'owed') endOwed(task, id, { type: `remediation.${next.why}`, reason: next.reason });
  watchBudget(task);
}

function computeWait(state: TaskState, id: string, { type }: Failure, next: NextStep): number {
  if (next.kind === 'climb') return strategyFor(type, rowOf(state, id).recovery).wait;
  const isFollowUp = next.kind === 'remedy' && next.then === 'try' && next.item.strategy === 'follow-up';
  return isFollowUp ? waitBeforeTry(state, next.item) : 0;
}

function queueRemedy(task: RunningTask, subtask: string, { item, then }: NextStep & { kind: 'remedy' }): void {
  const { state, now } = task;
  if (then === 'release')
    task.record({
      type: 'remediation.queued',
      subtask,
      item,
      released: true,
      dueInMs: waitBeforeTry(state, item),
      expiresAt: clockOf(state, now) + limitsOf(state).remediationTtl,
    });
  if (then === 'park') task.record({ type: 'remediation.parked', subtask });
}

/** People who use no model are told the tier of the next attempt, not of a stronger model. */
function plainTier(state: TaskState, id: string, next: NextStep): { nextTier?: Tier; sameModel?: true } {
  const { kind, usesModel } = rowOf(state, id).call;
  if (next.kind !== 'climb') return {};
  if (kind === 'agent' && state.plan.settings?.oneModel === true) return { sameModel: true };
  if (kind === 'agent' || usesModel === true) return {};
  const tier = resolveLadder(state, id).steps[next.climb.step]?.tier;
  return tier === undefined ? {} : { nextTier: tier };
}

/** Decides the next rung, a person, or the end; or, where nothing but evidence is missing, how that is still to be found. */
function nextStep(
  state: TaskState,
  id: string,
  { failure, owed, now }: { failure: Failure; owed: Owed | undefined; now: number },
): NextStep {
  const item = openItem(state, id);
  if (item !== undefined) return nextAfterTry(state, id, { item, failure, owed }, now);
  const next = nextRung(state, id, failure);
  return next.kind !== 'climb' && owed !== undefined && mayOwe(state, id) ? openRemedy(state, id, owed, now) : next;
}

/** Decides by the ladder alone. */
export function nextRung(state: TaskState, id: string, failure: Failure): NextStep {
  if (failure.category !== 'quality') return stepAboveLadder(state, id);
  const { triesPerTier } = limitsOf(state);
  const { tries = triesPerTier } = rowOf(state, id).recovery[failure.type] ?? {};
  const fix = findKnownFix(state.plan.settings?.memory?.signatures ?? [], failure.signature);
  return climbAfter(
    resolveLadder(state, id),
    subtaskOf(state, id).climb,
    { signature: failure.signature, tries, triesPerTier },
    fix,
  );
}

/** Above all rungs. */
const stepAboveLadder = (state: TaskState, id: string): NextStep => ({
  kind: resolveLadder(state, id).person ? 'person' : 'fail',
  because: 'ladder',
});

function askPerson(
  task: RunningTask,
  id: string,
  failure: Failure,
  details: { because: string; score?: number },
): void {
  const { state } = task;
  if (failure.category === 'blocked') {
    const independent = countIndependent(state, id);
    task.record({ type: 'subtask.blocked', subtask: id, reason: failure.summary, independent, waits: true });
  }
  const { because, ...sure } = details;
  const unsure = sure.score === undefined ? {} : { problem: formatUnsure(state, id, sure.score) };
  const decision = { ...escalation(task, id, failure, because), ...unsure, ...sure };
  task.record({ type: 'decision.opened', decision });
  // A standing answer is used once for each subtask: more would be a loop without a person.
  if (subtaskOf(state, id).decisionCount === 1 && takeStanding(task, decision, 'failure')) return;
  if (
    state.decisions.escalations >= (state.plan.settings?.escalationPause ?? Infinity) &&
    state.control.paused === null
  ) {
    const reason = `${formatCount(state.decisions.escalations, 'escalation')}; answer the open questions, then resume`;
    task.record({ type: 'task.paused', reason, by: 'escalations' });
  }
}

/** Describes a result that nobody has accepted yet. */
const formatDone = (state: TaskState, id: string): string =>
  recordOf(state, id)?.verdict === 'unchecked'
    ? `${id} is done and nothing checked it`
    : `${id} is done and its checks passed${formatWhere(state, id)}`;

/** Outside of the sandbox is where a plan's own programs run: only the other is worth a word. */
const formatWhere = (state: TaskState, id: string): string =>
  recordOf(state, id)?.verify.some(({ sandboxed }) => sandboxed === true) === true ? ' (in the sandbox)' : '';

const formatUnsure = (state: TaskState, id: string, score: number): string =>
  `${formatDone(state, id)}, but the confidence in its result is too low to rely on it (${score.toFixed(2)}).`;

function buildApproval(
  { state, now }: RunningTask,
  id: string,
  score: number,
  timeout: number,
  onTimeout: OnTimeout,
): Approval {
  return {
    id: freeDecisionId(state, id),
    kind: 'approval',
    subtask: id,
    problem: `${formatDone(state, id)}. Do you accept the result? (confidence ${score.toFixed(2)})`,
    tried: [],
    recommendation: 'approve',
    options: buildOptions('approval', { subtask: id }),
    openedAt: new Date(now).toISOString(),
    deadline: onTimeout === 'wait' ? null : new Date(now + timeout).toISOString(),
    onTimeout,
    signature: null,
    score,
  };
}
