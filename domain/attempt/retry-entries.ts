import type { TaskEvent } from '../types/events.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import type { RetryEntry } from './retry-entry.ts';
import { retryContext } from '../prompts/retry-context.ts';
import { limitsOf, subtaskOf } from '../task/read-state.ts';
import type { TaskState } from '../task/state.ts';

type RetryEntryFacts<Entry = RetryEntry> = Entry extends RetryEntry
  ? Omit<Entry, 'timestamp' | 'task_id' | 'task' | 'subtask'>
  : never;

/** Entries that an event adds to the retry log, by the state before it. A subtask that succeeds at once leaves none there. */
export function retryEntries(state: TaskState, event: TaskEvent, now: number): RetryEntry[] {
  const subtask = findSubtaskId(state, event);
  if (subtask === null) return [];
  const about = {
    timestamp: new Date(now).toISOString(),
    task_id: `${state.id}:${subtask}`,
    task: state.id,
    subtask,
  };
  return buildEntries(state, event, subtask, now).map((facts) => ({ ...about, ...facts }));
}

function findSubtaskId(state: TaskState, event: TaskEvent): string | null {
  if (event.type !== 'decision.answered') return 'subtask' in event ? (event.subtask ?? null) : null;
  const { decisionId } = event.answer;
  const decision = state.decisions.open.find(({ id }) => id === decisionId);
  return decision?.kind === 'escalation' ? decision.subtask : null;
}

function buildEntries(state: TaskState, event: TaskEvent, id: string, now: number): RetryEntryFacts[] {
  switch (event.type) {
    case 'attempt.started':
      return feedback(state, id, event.record.attempt);
    case 'attempt.passed': {
      const { attempt, record } = event;
      const status = record.verdict === 'unchecked' ? 'unchecked' : 'passed';
      return attempt === 1 ? [] : [{ event: 'attempt', attempt, status, duration_ms: lasted(record) }];
    }
    case 'attempt.failed':
      return failed(event);
    case 'decision.answered':
      return [{ event: 'user_response', response: event.answer.option, by: event.answer.by ?? null }];
    case 'subtask.completed':
      return resolved(state, id, 'completed', now);
    case 'subtask.failed':
      return resolved(state, id, 'failed', now);
    case 'subtask.skipped':
      return resolved(state, id, 'skipped', now);
    default:
      return [];
  }
}

/** Its lines are those about failures: the task's own text is no feedback. */
function feedback(state: TaskState, id: string, attempt: number): RetryEntryFacts[] {
  const { failures, climb, hint } = subtaskOf(state, id);
  if (failures.length === 0) return [];
  const { maxAttempts } = climb;
  const feedbackText = retryContext({
    attempt,
    maxAttempts,
    failures,
    hint,
    intent: '',
    room: limitsOf(state).retryContext,
  });
  return [{ event: 'feedback_injected', attempt, feedback_lines: feedbackText.split('\n').length }];
}

function failed({ attempt, record, failure, next }: Extract<TaskEvent, { type: 'attempt.failed' }>): RetryEntryFacts[] {
  const entry: RetryEntryFacts = {
    event: 'attempt',
    attempt,
    status: 'failed',
    failure_type: failure.type,
    error: failure.summary,
    ...(failure.suggestedFix === '' ? {} : { suggested_fix: failure.suggestedFix }),
    duration_ms: lasted(record),
  };
  if (next.kind !== 'person') return [entry];
  const reason = failure.category === 'quality' ? reasons[next.because] : failure.category;
  return [entry, { event: 'escalated', attempts: attempt, reason }];
}

const reasons = { ladder: 'ladder-exhausted', 'max-attempts': 'max-attempts' } as const;

function resolved(
  state: TaskState,
  id: string,
  resolution: 'completed' | 'failed' | 'skipped',
  now: number,
): RetryEntryFacts[] {
  const { spentOnFailures: spent, climb, startedAt } = subtaskOf(state, id);
  if (spent.attempts === 0) return [];
  const total_duration_ms = startedAt === null ? 0 : now - startedAt;
  return [{ event: 'resolved', resolution, total_attempts: climb.attempts, total_duration_ms }];
}

const lasted = ({ startedAt, endedAt }: AttemptRecord): number =>
  endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(startedAt);
