import type { Ask } from '../types/agent.ts';
import type { ResumePoint } from '../types/events.ts';
import type { JudgeOutcome } from '../types/judgement.ts';
import type { Outcome, Suspended, ResourceUsage } from '../types/outcome.ts';
import { giveUp } from '../ending/give-up.ts';
import { hadFullGrant, scarcestBudget } from '../schedule/grants.ts';
import { limitsOf, recordOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';
import { gateApproval } from '../decisions/ask-gate.ts';
import { buildQuestion } from '../decisions/ask-question.ts';
import type { RunningTask } from '../task/running-task.ts';
import { takeStanding } from '../decisions/apply-answer.ts';
import { exhaust, watchBudget } from '../decisions/watch-budget.ts';

/** The shortage of an execution that came back for more: a larger share would do, or all that is left is too little. */
export type GrantShortage = 'nothing' | 'share' | 'all';

/** Compares with the state before its use is counted. An execution that spent something has got on, and is only given more. */
export function findGrantShortage(state: TaskState, id: string, outcome: Outcome | JudgeOutcome): GrantShortage {
  if (outcome.kind !== 'suspended' || outcome.why !== 'budget') return 'nothing';
  if (hasSpent(recordOf(state, id)?.used, outcome.used)) return 'nothing';
  return hadFullGrant(state, id) ? 'all' : 'share';
}

function hasSpent(
  before: ResourceUsage | undefined,
  { costUsd, tokens, modelCalls = 0, toolCalls = 0, mutations = 0 }: ResourceUsage,
): boolean {
  return (
    costUsd > (before?.costUsd ?? 0) ||
    tokens > (before?.tokens ?? 0) ||
    modelCalls > (before?.modelCalls ?? 0) ||
    toolCalls > (before?.toolCalls ?? 0) ||
    mutations > (before?.mutations ?? 0)
  );
}

/** It stands still and holds no slot, until a clock, a grant, or a person wakes it. */
export function suspendAttempt(
  task: RunningTask,
  id: string,
  outcome: Suspended,
  lacks: GrantShortage,
  resumption: ResumePoint = { phase: 'execute', checkpoint: outcome.checkpoint },
): void {
  const { state } = task;
  const record = recordOf(state, id);
  if (record === undefined) throw new Error(`no attempt of ${id} runs`);
  if (state.control.finishing) {
    // Nothing waits any more.
    return giveUp(task, id, `the task finishes with what is done: ${outcome.reason}`, state.control.finishedBy);
  }
  const { why, reason } = outcome;
  const asks = state.control.cancelling === null ? outcome.asks : undefined;
  task.record({
    type: 'attempt.suspended',
    subtask: id,
    attempt: record.attempt,
    why,
    reason,
    waitMs: asks === undefined ? computeWait(state, outcome, record.waits.length) : null,
    resumeFrom: resumption,
    ...(lacks === 'nothing' ? {} : { needsFullGrant: true }),
  });
  if (asks !== undefined) ask(task, id, asks);
  const key = lacks === 'all' ? scarcestBudget(state) : undefined;
  if (key !== undefined) exhaust(task, key);
  watchBudget(task);
}

/** An action that is allowed for good is not asked about: an answer may have come while it ran. */
function ask(task: RunningTask, id: string, asks: Ask): void {
  const { state, now } = task;
  const decision = asks.kind === 'gate' ? gateApproval(state, id, asks, now) : buildQuestion(state, id, asks, now);
  task.record({ type: 'decision.opened', decision });
  takeStanding(task, decision, 'action');
}

/** An attempt that names neither a time nor a cause would come back at once, again and again: it waits longer each time. */
function computeWait(state: TaskState, { why, waitMs }: Suspended, before: number): number | null {
  // A grant or the end of the pause wakes these.
  if (waitMs !== null || why === 'budget' || why === 'pause') return waitMs;
  const { first, factor, most } = limitsOf(state).environmentWait;
  return Math.min(first * factor ** before, most);
}
