import type { Grant } from '../types/agent.ts';
import type { PlanRequest } from '../types/events.ts';
import type { SpentBefore } from '../types/judgement.ts';
import type { ResourceUsage } from '../types/outcome.ts';
import { limits } from '../limits/domain-limits.ts';
import { sumUses } from '../llm/sum-uses.ts';
import type { Extraction } from '../types/extraction.ts';
import type { EventOf } from '../types/events.ts';
import { clockOf, recordOf, rowOf, subtaskOf } from './read-state.ts';
import { putRecord } from './records.ts';
import type { Rewording, TaskState } from './state.ts';

/** Starts, ends and counts models that plan, diagnose failures, reword questions and learn lessons. Called by `apply` alone. */
export function reducePlanner(
  state: TaskState,
  event: EventOf<
    | 'planner.used'
    | 'plan.suspended'
    | 'plan.resumed'
    | 'plan.rejected'
    | 'replan.asked'
    | 'replan.started'
    | 'replan.declined'
    | 'replan.failed'
    | 'attempt.diagnosed'
    | 'decision.phrasing'
    | 'decision.phrased'
    | 'lesson.extracting'
    | 'lesson.learned'
  >,
  now: number,
): void {
  switch (event.type) {
    case 'planner.used':
      return countPlanner(state, event);
    case 'plan.suspended':
      return suspendPlanner(state, event, now);
    case 'plan.resumed':
      return resumePlanner(state);
    case 'plan.rejected':
      return rejectPlan(state, event);
    case 'replan.asked':
      return requestPlan(state, event);
    case 'replan.started':
      return startReplan(state, event);
    case 'replan.declined':
      return declineReplan(state, event);
    case 'replan.failed':
      return endReplan(state);
    case 'attempt.diagnosed':
      return noteDiagnosis(state, event);
    case 'decision.phrasing':
      return startRewording(state, event);
    case 'decision.phrased':
      return endRewording(state, event);
    case 'lesson.extracting':
      return startExtraction(state, event);
    case 'lesson.learned':
      return endExtraction(state, event);
  }
}

/** Planning is paid from the same budget as the work. */
function countPlanner(state: TaskState, { used, models }: EventOf<'planner.used'>): void {
  for (const key of ['costUsd', 'tokens', 'modelCalls'] as const) {
    const more = (used[key] ?? 0) - (state.planner.spent?.used[key] ?? 0);
    if (more > 0) state.budget.used[key] = (state.budget.used[key] ?? 0) + more;
  }
  state.planner.spent = { used, models };
  // The rest of its grant is free again.
  delete state.planner.replan?.grant;
  delete state.planner.abandonedGrant;
}

/** A new plan that was asked for is still wanted, and the same conversation goes on. */
function suspendPlanner(state: TaskState, event: EventOf<'plan.suspended'>, now: number): void {
  const { reason, waitMs, nth, most } = event;
  state.planner.wait = { reason, notBefore: clockOf(state, now) + waitMs, nth, most };
  leaveUnanswered(state);
}

function resumePlanner(state: TaskState): void {
  if (state.planner.wait !== undefined) state.planner.wait.notBefore = null;
}

/** The planner gave no answer: the number of its conversation, and of its runs, stay. */
export function leaveUnanswered(state: TaskState): void {
  if (state.planner.replan !== undefined) state.planner.replan.isUnanswered = true;
}

/** It is planned again with what was said; until then nothing starts. */
function rejectPlan(state: TaskState, event: EventOf<'plan.rejected'>): void {
  const { feedback = [], round = 1 } = state.planner.revision ?? {};
  state.planner.revision = {
    feedback: [...feedback, event.feedback].slice(-limits.planner.comments),
    round: round + 1,
    isWanted: true,
  };
  state.control.phase = 'planning';
  delete state.plan.degraded;
}

/** A request that comes while a planner works is for the next one: this one does not see it. A task that ends has no use for a plan. */
function requestPlan(state: TaskState, { request }: EventOf<'replan.asked'>): void {
  const {
    planner: { replan },
    control: { cancelling, finishing },
  } = state;
  if (cancelling !== null || finishing) return;
  if (replan === undefined) state.planner.replan = { request, runs: 0 };
  else if (replan.grant === undefined) replan.request = together(replan.request, request);
  else replan.next = replan.next === undefined ? request : together(replan.next, request);
}

const together = (one: PlanRequest, other: PlanRequest): PlanRequest => ({
  ...other,
  subtasks: [...new Set([...one.subtasks, ...other.subtasks])],
});

function startReplan(state: TaskState, { grant }: EventOf<'replan.started'>): void {
  if (state.planner.replan === undefined) throw new Error('nobody asked for a new plan');
  state.planner.replan.grant = grant;
  if (state.planner.replan.isUnanswered === true) {
    delete state.planner.replan.isUnanswered;
    return;
  }
  state.planner.replan.runs += 1;
  state.planner.rounds = (state.planner.rounds ?? 0) + 1;
}

function declineReplan(state: TaskState, { reason }: EventOf<'replan.declined'>): void {
  if (state.planner.replan !== undefined) state.planner.replan.declined = reason;
}

export function endReplan(state: TaskState): void {
  delete state.planner.wait;
  const next = state.planner.replan?.next;
  if (next === undefined) delete state.planner.replan;
  else state.planner.replan = { request: next, runs: 0 };
}

/** A diagnosis counts like everything else; the attempt keeps the rest of a grant that is its own too. */
function noteDiagnosis(state: TaskState, { subtask: id, diagnosis, used, models }: EventOf<'attempt.diagnosed'>): void {
  const subtask = subtaskOf(state, id);
  subtask.diagnosis = diagnosis;
  const record = recordOf(state, id);
  if (diagnosis !== null && record !== undefined)
    putRecord(state, { ...record, diagnosis: { cause: diagnosis.cause, by: 'model' } });
  countCalls(state, { used, models });
  const { phase } = subtask;
  if (phase.name !== 'running' || phase.grant === undefined) return;
  if (rowOf(state, id).call.spends === true) phase.grant = lessBy(phase.grant, used);
  else delete phase.grant;
}

const keys = ['modelCalls', 'tokens', 'costUsd'] as const;

/** Counts calls of models that look at failures. */
function countCalls(state: TaskState, { used, models }: SpentBefore): void {
  for (const key of keys) {
    const more = used[key] ?? 0;
    if (more > 0) state.budget.used[key] = (state.budget.used[key] ?? 0) + more;
  }
  if (models.length > 0) state.planner.diagnosisUse = sumUses([...(state.planner.diagnosisUse ?? []), ...models]);
}

function lessBy(grant: Grant, used: ResourceUsage): Grant {
  const less = { ...grant };
  for (const key of keys) {
    const amount = grant[key];
    if (amount !== undefined) less[key] = Math.max(0, amount - (used[key] ?? 0));
  }
  return less;
}

function startRewording(state: TaskState, event: EventOf<'decision.phrasing'>): void {
  const { decisionId: decision, subtask, attempt, grant } = event;
  subtaskOf(state, subtask).rewordedAttempt = attempt;
  state.planner.rewordings = [...otherRewordings(state, decision), { decision, subtask, attempt, grant }];
}

function endRewording(state: TaskState, event: EventOf<'decision.phrased'>): void {
  const { decisionId: decision, problem } = event;
  const others = otherRewordings(state, decision);
  if (others.length > 0) state.planner.rewordings = others;
  else delete state.planner.rewordings;
  countCalls(state, event);
  if (problem === null) return;
  // A new object: the event that opened the question keeps what was true then.
  state.decisions.open = state.decisions.open.map((open) => (open.id === decision ? { ...open, problem } : open));
}

const otherRewordings = (state: TaskState, decision: string): Rewording[] =>
  (state.planner.rewordings ?? []).filter((one) => one.decision !== decision);

function startExtraction(state: TaskState, { subtask, extraction }: EventOf<'lesson.extracting'>): void {
  const lessons = state.log.lessons ?? { uses: {} };
  const waiting = (lessons.waiting ?? []).filter((material) => material.subtask !== subtask);
  state.log.lessons = { ...lessons, requests: (lessons.requests ?? 0) + 1, waiting };
  state.planner.extractions = [...otherExtractions(state, subtask), extraction];
}

function endExtraction(state: TaskState, event: EventOf<'lesson.learned'>): void {
  const others = otherExtractions(state, event.subtask);
  if (others.length > 0) state.planner.extractions = others;
  else delete state.planner.extractions;
  countCalls(state, event);
  const lessons = state.log.lessons ?? { uses: {} };
  const ids = new Set(event.lessons.map(({ id }) => id));
  const earlier = (lessons.learned ?? []).filter(({ id }) => !ids.has(id));
  state.log.lessons = { ...lessons, learned: [...earlier, ...event.lessons].slice(-limits.lessons.learned) };
}

const otherExtractions = (state: TaskState, subtask: string): Extraction[] =>
  (state.planner.extractions ?? []).filter(({ material }) => material.subtask !== subtask);
