import type { DependencyResult, Verdict } from '../model/attempt.ts';
import { budgetKeyOf, checkBudget, sayBudget } from '../task/budget.ts';
import { approvalStep, confidence } from './confidence.ts';
import { afterFailure } from './consequences.ts';
import { approvalOptions, budgetOptions } from '../decisions/decision.ts';
import type { Decision } from '../model/decision.ts';
import { sayDuration } from '../text/duration.ts';
import { escalation } from './escalate.ts';
import type { Failure } from '../model/failure.ts';
import type { AttemptRecord } from '../model/record.ts';
import { climbAfter } from '../recovery/ladder.ts';
import type { NextStep } from '../model/ladder.ts';
import { limits } from '../limits.ts';
import { knownFix } from '../memory/memory.ts';
import { independentOf } from '../task/schedule.ts';
import { freeDecisionId, subtaskOf, type TaskState } from '../task/state.ts';
import { ladderOf, usedNow } from '../task/status.ts';
import { strategyFor } from '../recovery/strategies.ts';
import type { Subtask } from '../model/subtask.ts';
import type { Course } from './course.ts';
import { takeAnswer } from './take-answer.ts';

/** How long an approval that has a policy for its deadline waits, unless the plan says so. */
const answerWithin = 10 * 60_000;

export function afterAttemptPassed(
  course: Course,
  definition: Subtask,
  record: AttemptRecord,
  verdict: Verdict,
  result: DependencyResult,
): void {
  const { id } = definition;
  course.record({ type: 'attempt.passed', subtask: id, attempt: record.attempt, record, result });
  const approval = course.state.task?.approval ?? { mode: 'off', at: 1, onTimeout: 'wait' };
  const score = confidence({
    checksPassed: true,
    warnings: verdict.outcome !== 'pass',
    attempts: record.attempt,
  });
  const step = approvalStep(approval, score);
  if (step === 'proceed') {
    course.record({ type: 'subtask.completed', subtask: id, verdict: verdict.outcome });
  } else {
    const timeout = approval.timeout ?? answerWithin;
    const onTimeout = step === 'ask-then-proceed' && approval.onTimeout === 'wait' ? 'proceed' : approval.onTimeout;
    course.record({ type: 'decision.opened', decision: approvalDecision(course, id, score, timeout, onTimeout) });
  }
  watchBudget(course);
}

/**
 * What the evidence of a failed attempt leads to: a wait, another rung, a person, or the end of the subtask. `isReturned`: the
 * failure came as a result, so that no retry policy has waited for it to pass.
 */
export function afterAttemptFailed(
  course: Course,
  definition: Subtask,
  record: AttemptRecord,
  failure: Failure,
  isReturned: boolean,
): void {
  const { id } = definition;
  const { state } = course;
  const subtask = subtaskOf(state, id);
  const finishing = isFinishing(state);
  if (state.cancelling !== null || finishing) {
    course.record({
      type: 'attempt.failed',
      subtask: id,
      attempt: record.attempt,
      record,
      failure,
      next: { kind: 'stopped' },
      waitMs: 0,
    });
    if (finishing) failSubtask(course, id, failure.summary);
    return;
  }
  const mayPass = failure.category === 'environment' || (failure.category === 'transient' && isReturned);
  if (mayPass && subtask.environmentWaits < limits.environmentWait.times) {
    return waitForEnvironment(course, record, failure, subtask.environmentWaits);
  }
  const next = nextStep(course, definition, failure);
  const waitMs = next.kind === 'climb' ? strategyFor(failure.type, definition.recovery).wait : 0;
  course.record({ type: 'attempt.failed', subtask: id, attempt: record.attempt, record, failure, next, waitMs });
  if (next.kind === 'person') askPerson(course, definition, failure, next.because);
  if (next.kind === 'fail') failSubtask(course, id, failure.summary);
  watchBudget(course);
}

function nextStep(course: Course, definition: Subtask, failure: Failure): NextStep {
  const { id } = definition;
  const ladder = ladderOf(course.state, id);
  if (failure.category !== 'quality') return { kind: ladder.person ? 'person' : 'fail', because: 'ladder' };
  const { tries } = strategyFor(failure.type, definition.recovery);
  return climbAfter(
    ladder,
    subtaskOf(course.state, id).climb,
    { signature: failure.signature, tries },
    knownFix(course.state.task?.memory?.signatures ?? [], failure.signature),
  );
}

function waitForEnvironment(course: Course, record: AttemptRecord, failure: Failure, waited: number): void {
  const { first, factor, most } = limits.environmentWait;
  const ms = Math.min(first * factor ** waited, most);
  course.record({
    type: 'attempt.rerun',
    subtask: record.subtask,
    attempt: record.attempt,
    reason: 'environment',
    failure,
    waitMs: ms,
    record: {
      ...record,
      endedAt: null,
      outcome: 'running',
      waits: [...record.waits, { at: new Date(course.now).toISOString(), ms, reason: failure.summary }],
    },
  });
}

function askPerson(course: Course, definition: Subtask, failure: Failure, because: string): void {
  const { state } = course;
  const { id } = definition;
  if (failure.category === 'blocked') {
    course.record({
      type: 'subtask.blocked',
      subtask: id,
      reason: failure.summary,
      independent: independentOf(state, id),
      waits: true,
    });
  }
  const decision = escalation(state, id, failure, because, course.now);
  course.record({ type: 'decision.opened', decision });
  const standing = state.standing[failure.signature];
  // A standing answer is used once for each subtask: more would be a loop without a person.
  if (
    standing !== undefined &&
    subtaskOf(state, id).decisions === 1 &&
    decision.options.some(({ id: option }) => option === standing.option)
  ) {
    takeAnswer(
      course,
      {
        ...standing,
        decisionId: decision.id,
        scope: 'once',
        by: `the answer of ${standing.by ?? 'a person'} for this failure`,
      },
      { updateId: null, standing: true },
    );
    return;
  }
  if (state.escalations >= (state.task?.escalationPause ?? Infinity) && state.paused === null) {
    course.record({
      type: 'task.paused',
      reason: `${state.escalations} subtasks need a person; answer them, then resume`,
      by: 'escalations',
    });
  }
}

export function failSubtask(course: Course, id: string, reason: string): void {
  course.record({ type: 'subtask.failed', subtask: id, reason });
  for (const event of afterFailure(course.state, id)) course.record(event);
}

function approvalDecision(
  course: Course,
  id: string,
  score: number,
  timeout: number,
  onTimeout: Decision['onTimeout'],
): Decision {
  const now = course.now;
  return {
    id: freeDecisionId(course.state, id),
    kind: 'approval',
    subtask: id,
    problem: `${id} is done and its checks passed. Do you accept the result? (confidence ${score.toFixed(2)})`,
    tried: [],
    recommendation: 'approve',
    options: approvalOptions(id),
    openedAt: new Date(now).toISOString(),
    deadline: onTimeout === 'wait' ? null : new Date(now + timeout).toISOString(),
    onTimeout,
    signature: null,
  };
}

/** Warns once near a limit; at it, asks once and starts nothing new until there is an answer. */
export function watchBudget(course: Course): void {
  const { state } = course;
  const now = course.now;
  if (state.open === 0 || state.cancelling !== null || isFinishing(state)) return;
  for (const { key, used, limit, level } of checkBudget(state.budget, usedNow(state, now))) {
    if (level === 'warning') {
      if (!state.warned.includes(key)) course.record({ type: 'budget.warning', key, used, limit });
      continue;
    }
    const isAsked = state.decisions.some((open) => open.kind === 'budget' && budgetKeyOf(open) === key);
    if (isAsked) continue;
    course.record({ type: 'budget.exhausted', key, used, limit });
    const said = key === 'wallClock' ? sayDuration(limit) : String(limit);
    course.record({
      type: 'decision.opened',
      decision: {
        id: freeDecisionId(state, `budget-${key}`),
        kind: 'budget',
        subtask: null,
        problem: `The budget for ${sayBudget(key)} (${said}) is used up. Nothing new starts until you decide.`,
        tried: [],
        recommendation: 'raise',
        options: budgetOptions(sayBudget(key)),
        openedAt: new Date(now).toISOString(),
        deadline: null,
        onTimeout: 'wait',
        signature: null,
      },
    });
  }
}

/** A person chose to finish with what there is: what runs may end, and neither money nor attempts are asked for again. */
const isFinishing = (state: TaskState): boolean =>
  Object.values(state.answered).some(
    ({ decision, answer }) => decision.kind === 'budget' && answer.option === 'finish',
  );
