import { sayBudget } from './budget.ts';
import { sayDuration } from '../text/duration.ts';
import type { TaskEvent, ToldEvent } from '../model/events.ts';
import type { Failure } from '../model/failure.ts';
import type { AttemptRecord } from '../model/record.ts';
import type { NextStep } from '../model/ladder.ts';
import { clip, oneLine, sayCount } from '../text/text.ts';

/** A sentence longer than this is no sentence; programs and people may give any text. */
const mostText = 600;

/** An event as it is shown: one plain sentence and what it is about; null for what is nobody's business. */
export function describeEvent(event: TaskEvent): ToldEvent | null {
  const told = tell(event);
  return told === null ? null : { ...told, text: clip(oneLine(told.text), mostText) };
}

function tell(event: TaskEvent): ToldEvent | null {
  switch (event.type) {
    case 'task.started':
      return { type: event.type, text: `Started: ${clip(oneLine(event.goal), 120)}` };
    case 'plan.ready':
      return {
        type: event.type,
        text: `The plan has ${sayCount(event.task.subtasks.length, 'subtask')}; at most ${event.task.maxParallelSubtasks} run at once.`,
        subtasks: event.task.subtasks.length,
        planVersion: 1,
      };
    case 'decision.opened':
      return {
        type: event.type,
        text: event.decision.problem,
        ...(event.decision.subtask === null ? {} : { subtask: event.decision.subtask }),
        decision: event.decision,
      };
    case 'decision.answered': {
      const { answer } = event;
      return {
        type: event.type,
        text: `${answer.by ?? 'Somebody'} answered ${answer.decisionId}: ${answer.option}.`,
        decisionId: answer.decisionId,
        option: answer.option,
        by: answer.by ?? null,
        ...(answer.instruction === undefined ? {} : { instruction: answer.instruction }),
        ...(answer.value === undefined ? {} : { value: answer.value }),
      };
    }
    case 'task.steered':
    case 'task.paused':
    case 'task.resumed':
    case 'task.stalled':
    case 'task.cancelling':
    case 'task.ended':
    case 'message.refused':
      return describeTaskEvent(event);
    case 'budget.warning':
    case 'budget.exhausted':
      return {
        type: event.type,
        text: `${event.type === 'budget.warning' ? 'Most of' : 'All of'} the budget for ${sayBudget(event.key)} is used.`,
        key: event.key,
        used: event.used,
        limit: event.limit,
      };
    default:
      return describeSubtaskEvent(event);
  }
}

type OfTask = Extract<
  TaskEvent,
  {
    type:
      | 'task.steered'
      | 'task.paused'
      | 'task.resumed'
      | 'task.stalled'
      | 'task.cancelling'
      | 'task.ended'
      | 'message.refused';
  }
>;

function describeTaskEvent(event: OfTask): ToldEvent {
  switch (event.type) {
    case 'task.steered':
      return {
        type: event.type,
        text: `New instruction${event.subtask === undefined ? '' : ` for ${event.subtask}`}: ${clip(oneLine(event.text), 160)}`,
        instruction: event.text,
        ...(event.subtask === undefined ? {} : { subtask: event.subtask }),
      };
    case 'task.paused':
      return { type: event.type, text: `Paused: ${event.reason}`, reason: event.reason, by: event.by };
    case 'task.resumed':
      return { type: event.type, text: 'Going on.' };
    case 'task.stalled':
      return { type: event.type, text: `Nothing can go on: ${event.reasons.join('; ')}`, reasons: event.reasons };
    case 'task.cancelling':
      return { type: event.type, text: `Stopping: ${event.reason}`, reason: event.reason };
    case 'message.refused':
      return {
        type: event.type,
        text: `A ${event.message} signal was not taken: ${event.reason}`,
        message: event.message,
      };
    case 'task.ended':
      return {
        type: event.type,
        text: `The task ${event.state === 'completed' ? 'is completed' : event.state === 'failed' ? 'failed' : 'was cancelled'}: ${event.reason}`,
        state: event.state,
        ...(event.code === undefined ? {} : { code: event.code }),
      };
  }
}

type OfSubtask = Extract<TaskEvent, { subtask: string }> & {
  type: `subtask.${string}` | `attempt.${string}` | 'verdict';
};

function describeSubtaskEvent(event: OfSubtask): ToldEvent | null {
  const about = { type: event.type, subtask: event.subtask };
  switch (event.type) {
    case 'attempt.resumed':
      return null;
    case 'subtask.started':
      return { ...about, text: `${event.subtask} starts.` };
    case 'attempt.started':
      return { ...about, ...attemptFacts(event.record), text: sayStart(event.subtask, event.record) };
    case 'attempt.rerun':
      return describeRerun(event);
    case 'verdict':
      return {
        ...about,
        attempt: event.attempt,
        outcome: event.outcome,
        text:
          event.issues === ''
            ? `The checks of ${event.subtask} passed.`
            : `The checks of ${event.subtask} found: ${event.issues}`,
      };
    case 'attempt.passed':
      return { ...about, attempt: event.attempt, text: `Attempt ${event.attempt} of ${event.subtask} passed.` };
    case 'attempt.failed':
      return {
        ...about,
        attempt: event.attempt,
        failure: { type: event.failure.type, category: event.failure.category, signature: event.failure.signature },
        text: `${event.subtask}: ${sayFailure(event.failure)}; ${sayNext(event.next, event.waitMs)}.`,
      };
    case 'subtask.completed':
      return {
        ...about,
        verdict: event.verdict,
        ...(event.reused === undefined ? {} : { reused: event.reused.task }),
        text:
          event.reused === undefined
            ? `${event.subtask} is completed${event.verdict === 'pass' ? '' : ` (${event.verdict})`}.`
            : `${event.subtask} is reused from the task ${event.reused.task}.`,
      };
    case 'subtask.failed':
      return { ...about, reason: event.reason, text: `${event.subtask} failed: ${event.reason}` };
    case 'subtask.skipped':
      return { ...about, reason: event.reason, text: `${event.subtask} is left out: ${event.reason}` };
    case 'subtask.blocked':
      return {
        ...about,
        reason: event.reason,
        independent: event.independent,
        text: `${event.subtask} is blocked: ${event.reason} ${sayIndependent(event.independent)}`,
      };
  }
}

const attemptFacts = (
  record: AttemptRecord,
): Pick<AttemptRecord, 'attempt' | 'rung' | 'tier' | 'thinking' | 'strategy'> => ({
  attempt: record.attempt,
  rung: record.rung,
  tier: record.tier,
  thinking: record.thinking,
  strategy: record.strategy,
});

function describeRerun(event: TaskEvent & { type: 'attempt.rerun' }): ToldEvent {
  const about = { type: event.type, subtask: event.subtask, attempt: event.attempt, reason: event.reason };
  if (event.reason === 'crash') {
    return {
      ...about,
      reruns: event.reruns,
      text: `A crash interrupted attempt ${event.attempt} of ${event.subtask}; the same attempt was run again with the same key.`,
    };
  }
  return {
    ...about,
    waitMs: event.waitMs,
    text: `${event.subtask}: ${sayFailure(event.failure)}; the same attempt runs again in ${sayDuration(event.waitMs)}.`,
  };
}

function sayStart(subtask: string, record: AttemptRecord): string {
  if (record.attempt === 1) return `Attempt 1 of ${subtask} (tier ${record.tier}).`;
  return `Attempt ${record.attempt} of ${subtask} with what was learned (rung ${record.rung}, tier ${record.tier}${record.thinking ? ', thinking' : ''}).`;
}

const sayFailure = (failure: Failure): string => oneLine(failure.summary).replace(/[.;]+$/, '');

function sayNext(next: NextStep | { kind: 'stopped' }, waitMs: number): string {
  const soon = waitMs > 0 ? ` in ${sayDuration(waitMs)}` : '';
  switch (next.kind) {
    case 'climb':
      switch (next.strategy) {
        case 'stronger':
          return `trying again with a stronger model${soon}`;
        case 'strongest':
          return `trying again with the strongest model and more thought${soon}`;
        case 'remembered':
          return `trying again the way that fixed it before${soon}`;
        default:
          return `trying again with this feedback${soon}`;
      }
    case 'person':
      return 'a person is needed';
    case 'fail':
      return 'no rung is left';
    case 'stopped':
      return 'the task is stopping';
  }
}

const sayIndependent = (count: number): string =>
  count === 0 ? 'Nothing else can go on.' : `${sayCount(count, 'other subtask')} can go on.`;
