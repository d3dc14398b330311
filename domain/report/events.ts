import { valueText } from '../decisions/options/decision-kinds.ts';
import type { AnswerSource, Decision } from '../types/decision.ts';
import type { LoggedEvent, ShownEventType } from '../types/events.ts';
import type { AttemptView } from '../types/attempt-view.ts';
import type { StatusView } from '../views/task-status.ts';

/** A question and its answer. */
export interface ReportDecision {
  id: string;
  kind: string;
  subtask: string | null;
  problem: string;
  openedAt: string | null;
  option: string | null;
  /** The text of the answer: an instruction, or the new value. */
  said: string | null;
  by: string | null;
  at: string | null;
  source: AnswerSource | null;
  /** The confidence of the result in question, 0 to 1; null for other questions. */
  score: number | null;
}

export interface BlockedSubtask {
  id: string;
  /** The current state, because an answer may have helped since. */
  state: string;
  reason: string | null;
}

export interface JournalEntry {
  at: string;
  type: string;
  text: string;
}

/** Lists decisions in the order in which they were opened. Open ones in the status are included even when their events are lost. */
export function listDecisions(events: readonly LoggedEvent[], open: readonly Decision[]): ReportDecision[] {
  const decisions = new Map<string, ReportDecision>();
  const ask = (decision: Decision): void => {
    const { id, kind, subtask, problem, openedAt } = decision;
    const score = 'score' in decision ? (decision.score ?? null) : null;
    if (!decisions.has(id)) decisions.set(id, { ...unknownDecision(id), kind, subtask, problem, openedAt, score });
  };
  for (const event of events) {
    if (event.type === 'decision.opened') ask(event.decision);
    if (event.type === 'decision.phrased') {
      const { decisionId: id, problem } = event;
      decisions.set(id, { ...(decisions.get(id) ?? unknownDecision(id)), problem });
    }
    if (event.type !== 'decision.answered') continue;
    const { decisionId: id, option, by, source, time } = event;
    decisions.set(id, {
      ...(decisions.get(id) ?? unknownDecision(id)),
      option,
      said: formatAnswerText(event),
      by,
      at: time,
      source,
    });
  }
  open.forEach(ask);
  return [...decisions.values()];
}

const unknownDecision = (id: string): ReportDecision => ({
  id,
  kind: 'unknown',
  subtask: null,
  problem: '',
  openedAt: null,
  option: null,
  said: null,
  by: null,
  at: null,
  source: null,
  score: null,
});

function formatAnswerText({ instruction, value }: LoggedEvent & { type: 'decision.answered' }): string | null {
  const texts = [instruction ?? '', valueText({ value })].filter((text) => text !== '');
  return texts.length === 0 ? null : texts.join(' ');
}

/** A subtask that completed without an attempt was reused, also when the event with its source is lost. */
export function listReused(
  { subtasks }: StatusView,
  records: readonly AttemptView[],
  events: readonly LoggedEvent[],
): { id: string; from: string | null }[] {
  const reusedFrom = new Map<string, string>();
  for (const event of events)
    if (event.type === 'subtask.completed' && event.reused !== undefined) reusedFrom.set(event.subtask, event.reused);
  const tried = new Set(records.map(({ subtask }) => subtask));
  return subtasks
    .filter(({ id, state }) => state === 'completed' && (reusedFrom.has(id) || !tried.has(id)))
    .map(({ id }) => ({ id, from: reusedFrom.get(id) ?? null }));
}

/** Lists subtasks that ended blocked, and those that reported it and asked a person. */
export function listBlocked({ subtasks }: StatusView, events: readonly LoggedEvent[]): BlockedSubtask[] {
  const blockedReasons = new Map<string, string>();
  for (const event of events) if (event.type === 'subtask.blocked') blockedReasons.set(event.subtask, event.reason);
  return subtasks
    .filter(({ id, state }) => state === 'blocked' || blockedReasons.has(id))
    .map(({ id, state, reason }) => ({
      id,
      state,
      reason: (state === 'blocked' ? reason : null) ?? blockedReasons.get(id) ?? null,
    }));
}

/** Events that other sections of the report show already; the journal has all others. */
const shownElsewhere: ReadonlySet<ShownEventType> = new Set([
  'task.started',
  'plan.ready',
  'subtask.started',
  'attempt.started',
  'attempt.suspended',
  'attempt.resumed',
  'attempt.rerun',
  'verdict',
  'attempt.passed',
  'attempt.failed',
  'subtask.completed',
  'subtask.failed',
  'subtask.blocked',
  'subtask.skipped',
  'decision.opened',
  'decision.phrased',
  'decision.answered',
  'task.ended',
]);

export const listJournal = (events: readonly LoggedEvent[]): JournalEntry[] =>
  events.filter(({ type }) => !shownElsewhere.has(type)).map(({ time, type, text }) => ({ at: time, type, text }));
