import { valueText } from '../decisions/options/decision-kinds.ts';
import type { AnswerSource, Decision } from '../types/decision.ts';
import type { LoggedEvent, ShownEventType } from '../types/events.ts';
import type { AttemptView } from '../types/attempt-view.ts';
import type { StatusView } from '../views/task-status.ts';

/** A question, and who answered it when. */
export interface ReportDecision {
  id: string;
  kind: string;
  subtask: string | null;
  problem: string;
  openedAt: string | null;
  option: string | null;
  /** What the answer said besides: an instruction, or the new value. */
  said: string | null;
  by: string | null;
  at: string | null;
  source: AnswerSource | null;
  /** How sure the result was that it is about, 0 to 1; null where it is about none. */
  score: number | null;
}

export interface BlockedSubtask {
  id: string;
  /** How it stands now: an answer may have helped it. */
  state: string;
  reason: string | null;
}

export interface JournalEntry {
  at: string;
  type: string;
  text: string;
}

/** In the order in which they were asked. Those that are open in the status are known even when their events are lost. */
export function decisionsOf(events: readonly LoggedEvent[], open: readonly Decision[]): ReportDecision[] {
  const found = new Map<string, ReportDecision>();
  const ask = (decision: Decision): void => {
    const { id, kind, subtask, problem, openedAt } = decision;
    const score = 'score' in decision ? (decision.score ?? null) : null;
    if (!found.has(id)) found.set(id, { ...unknownDecision(id), kind, subtask, problem, openedAt, score });
  };
  for (const event of events) {
    if (event.type === 'decision.opened') ask(event.decision);
    if (event.type === 'decision.phrased') {
      const { decisionId: id, problem } = event;
      found.set(id, { ...(found.get(id) ?? unknownDecision(id)), problem });
    }
    if (event.type !== 'decision.answered') continue;
    const { decisionId: id, option, by, source, time } = event;
    found.set(id, { ...(found.get(id) ?? unknownDecision(id)), option, said: saidIn(event), by, at: time, source });
  }
  open.forEach(ask);
  return [...found.values()];
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

function saidIn({ instruction, value }: LoggedEvent & { type: 'decision.answered' }): string | null {
  const said = [instruction ?? '', valueText({ value })].filter((text) => text !== '');
  return said.length === 0 ? null : said.join(' ');
}

/** A subtask that is completed without an attempt was reused, also when the event that says from where is lost. */
export function reusedOf(
  { subtasks }: StatusView,
  records: readonly AttemptView[],
  events: readonly LoggedEvent[],
): { id: string; from: string | null }[] {
  const told = new Map<string, string>();
  for (const event of events)
    if (event.type === 'subtask.completed' && event.reused !== undefined) told.set(event.subtask, event.reused);
  const tried = new Set(records.map(({ subtask }) => subtask));
  return subtasks
    .filter(({ id, state }) => state === 'completed' && (told.has(id) || !tried.has(id)))
    .map(({ id }) => ({ id, from: told.get(id) ?? null }));
}

/** Those that ended so, and those that said so and asked a person. */
export function blockedOf({ subtasks }: StatusView, events: readonly LoggedEvent[]): BlockedSubtask[] {
  const told = new Map<string, string>();
  for (const event of events) if (event.type === 'subtask.blocked') told.set(event.subtask, event.reason);
  return subtasks
    .filter(({ id, state }) => state === 'blocked' || told.has(id))
    .map(({ id, state, reason }) => ({
      id,
      state,
      reason: (state === 'blocked' ? reason : null) ?? told.get(id) ?? null,
    }));
}

/** What attempts, subtasks, questions and the report's head tell already; everything else that happened to the task is journalled. */
const toldElsewhere: ReadonlySet<ShownEventType> = new Set([
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

export const journalOf = (events: readonly LoggedEvent[]): JournalEntry[] =>
  events.filter(({ type }) => !toldElsewhere.has(type)).map(({ time, type, text }) => ({ at: time, type, text }));
