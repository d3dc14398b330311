import { valueText } from '../decisions/decision.ts';
import type { Decision } from '../model/decision.ts';
import type { LoggedEvent } from '../model/events.ts';
import type { AttemptView } from '../model/attempt-view.ts';
import type { StatusView } from '../task/status.ts';

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
  /** `policy`: the plan's rule for a deadline. `standing`: an answer that a person gave for every failure of this kind. */
  source: 'person' | 'policy' | 'standing' | null;
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
  const policies = new Set<string>();
  const ask = (decision: Decision): void => {
    const { id, kind, subtask, problem, openedAt, onTimeout } = decision;
    if (onTimeout !== 'wait') policies.add(id);
    if (!found.has(id)) found.set(id, { ...unknownDecision(id), kind, subtask, problem, openedAt });
  };
  for (const event of events) {
    if (event.type === 'decision.opened') ask(event['decision'] as Decision);
    if (event.type !== 'decision.answered') continue;
    const id = String(event['decisionId']);
    const by = typeof event['by'] === 'string' ? event['by'] : null;
    found.set(id, {
      ...(found.get(id) ?? unknownDecision(id)),
      option: String(event['option']),
      said: saidIn(event),
      by,
      at: event.time,
      source: sourceOf(by ?? '', policies.has(id)),
    });
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
});

function saidIn(event: LoggedEvent): string | null {
  const said = [event['instruction'], valueText({ value: event['value'] })].filter(
    (text) => typeof text === 'string' && text !== '',
  );
  return said.length === 0 ? null : said.join(' ');
}

/** Names are what people say they are, so a policy is believed only where the question had one. */
function sourceOf(by: string, hasPolicy: boolean): ReportDecision['source'] {
  if (hasPolicy && by.startsWith('policy (')) return 'policy';
  return by.startsWith('the answer of ') && by.endsWith(' for this failure') ? 'standing' : 'person';
}

/** A subtask that is completed without an attempt was reused, also when the event that says from where is lost. */
export function reusedOf(
  { subtasks }: StatusView,
  records: readonly AttemptView[],
  events: readonly LoggedEvent[],
): { id: string; from: string | null }[] {
  const told = new Map<string, string>();
  for (const { type, subtask, reused } of events)
    if (type === 'subtask.completed' && subtask !== undefined && typeof reused === 'string') told.set(subtask, reused);
  const tried = new Set(records.map(({ subtask }) => subtask));
  return subtasks
    .filter(({ id, state }) => state === 'completed' && (told.has(id) || !tried.has(id)))
    .map(({ id }) => ({ id, from: told.get(id) ?? null }));
}

/** Those that ended so, and those that said so and asked a person. */
export function blockedOf({ subtasks }: StatusView, events: readonly LoggedEvent[]): BlockedSubtask[] {
  const told = new Map<string, string>();
  for (const { type, subtask, reason } of events)
    if (type === 'subtask.blocked' && subtask !== undefined && typeof reason === 'string') told.set(subtask, reason);
  return subtasks
    .filter(({ id, state }) => state === 'blocked' || told.has(id))
    .map(({ id, state, reason }) => ({
      id,
      state,
      reason: (state === 'blocked' ? reason : null) ?? told.get(id) ?? null,
    }));
}

/** Beside the course of the subtasks, which the attempts tell. */
const journalled: ReadonlySet<string> = new Set([
  'plan.degraded',
  'plan.replaced',
  'outcome.stale',
  'remediation.queued',
  'remediation.done',
  'remediation.expired',
  'budget.warning',
  'budget.exhausted',
  'message.refused',
  'task.steered',
  'task.paused',
  'task.resumed',
  'task.stalled',
  'task.cancelling',
]);

export const journalOf = (events: readonly LoggedEvent[]): JournalEntry[] =>
  events.filter(({ type }) => journalled.has(type)).map(({ time, type, text }) => ({ at: time, type, text }));
