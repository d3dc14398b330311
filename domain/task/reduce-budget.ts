import type { EventOf } from '../types/events.ts';
import { limits } from '../limits/domain-limits.ts';
import type { SubtaskState } from './subtask-state.ts';
import { openRecord, putRecord } from './records.ts';
import { subtaskOf } from './read-state.ts';
import type { TaskState } from './state.ts';

/** Counts use and changes limits. Called by `apply` alone. */
export function reduceBudget(
  state: TaskState,
  event: EventOf<'attempt.used' | 'budget.warning' | 'budget.raised'>,
): void {
  switch (event.type) {
    case 'attempt.used':
      return countUse(state, event);
    case 'budget.warning':
      return noteWarning(state, event);
    case 'budget.raised':
      return raiseBudget(state, event);
  }
}

/** Totals of the attempt: what it had used before is counted already. An execution that could not find out tells less, and takes nothing back. */
function countUse(state: TaskState, event: EventOf<'attempt.used'>): void {
  const record = openRecord(state, event.subtask);
  const used = { ...record.used };
  for (const key of ['costUsd', 'tokens', 'modelCalls', 'toolCalls', 'mutations'] as const) {
    const total = event.used[key] ?? 0;
    const more = total - (used[key] ?? 0);
    if (more <= 0) continue;
    used[key] = total;
    state.budget.used[key] = (state.budget.used[key] ?? 0) + more;
  }
  if (event.used.costUnknown === true) used.costUnknown = true;
  if (event.used.costUnknown === true) state.budget.unpriced ??= { subtask: event.subtask, accepted: false };
  const { models = record.models, transcript = record.transcript, gated = record.gated } = event;
  const { session = record.session, denied = record.denied } = event;
  const { failedCalls = record.failedCalls, toolFailures = record.toolFailures } = event;
  const { lessons = record.lessons, evidence = record.evidence } = event;
  putRecord(state, {
    ...record,
    used,
    reruns: Math.max(record.reruns, event.reruns),
    output: event.output ?? record.output,
    ...(models === undefined ? {} : { models }),
    ...(transcript === undefined ? {} : { transcript }),
    ...(gated === undefined ? {} : { gated }),
    ...(session === undefined ? {} : { session }),
    ...(denied === undefined ? {} : { denied }),
    ...(failedCalls === undefined ? {} : { failedCalls }),
    ...(toolFailures === undefined ? {} : { toolFailures }),
    ...(lessons === undefined ? {} : { lessons }),
    ...(evidence === undefined ? {} : { evidence }),
  });
  noteReading(subtaskOf(state, event.subtask), event);
  if (event.evidence !== undefined) subtaskOf(state, event.subtask).evidence = event.evidence;
  // The rest of its grant is free again, also while its result is checked.
  const { phase } = subtaskOf(state, event.subtask);
  if (phase.name === 'running') delete phase.grant;
}

/** Facts that a lesson of the subtask depends on. */
function noteReading(subtask: SubtaskState, { readOutside, lessons = [] }: EventOf<'attempt.used'>): void {
  if (readOutside === true) subtask.readOutside = true;
  if (lessons.length === 0) return;
  subtask.recalled = [...new Set([...(subtask.recalled ?? []), ...lessons.map(({ id }) => id)])].slice(
    -limits.lessons.recalled,
  );
}

function noteWarning(state: TaskState, { key }: EventOf<'budget.warning'>): void {
  state.budget.warned.push(key);
}

function raiseBudget(state: TaskState, { key, limit }: EventOf<'budget.raised'>): void {
  state.budget.limits = { ...state.budget.limits, [key]: limit };
  state.budget.warned = state.budget.warned.filter((warned) => warned !== key);
  if (key === 'costUsd' && state.budget.unpriced !== undefined)
    state.budget.unpriced = { ...state.budget.unpriced, accepted: true };
}
