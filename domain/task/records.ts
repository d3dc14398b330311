import type { AttemptView } from '../types/attempt-view.ts';
import type { AttemptRecord } from '../types/attempt-record.ts';
import { getOwn, setOwn } from '../util/own-property.ts';
import type { EventOf } from '../types/events.ts';
import { recordOf } from './read-state.ts';
import type { TaskState } from './state.ts';

/** An attempt has one record, whatever happens to it. */
export function putRecord(state: TaskState, record: AttemptRecord): void {
  const last = getOwn(state.log.lastRecord, record.subtask);
  if (last !== undefined && state.log.records[last]?.attempt === record.attempt) {
    state.log.records[last] = record;
    return;
  }
  setOwn(state.log.lastRecord, record.subtask, state.log.records.length);
  state.log.records.push(record);
}

/** The contract's flat form: the one place where a failure is taken apart. */
export function showAttempt(record: AttemptRecord): AttemptView {
  const { failure, used } = record;
  return {
    subtask: record.subtask,
    attempt: record.attempt,
    rung: record.rung,
    tier: record.tier,
    thinking: record.thinking,
    strategy: record.strategy,
    startedAt: record.startedAt,
    endedAt: record.endedAt,
    outcome: record.outcome,
    type: failure?.type ?? null,
    category: failure?.category ?? null,
    signature: failure?.signature ?? null,
    ...(failure?.code === undefined ? {} : { code: failure.code }),
    summary: failure?.summary ?? record.notes,
    details: failure?.details ?? '',
    rootCause: failure?.rootCause ?? '',
    suggestedFix: failure?.suggestedFix ?? '',
    filesAffected: record.files,
    verify: record.verify,
    verdict: record.verdict,
    reruns: record.reruns,
    // Those by the clock: how long it waited for a person stands with the decision, and a budget is no wait for the world.
    waits: record.waits.flatMap(({ at, ms, reason }) => (ms === null ? [] : [{ at, ms, reason }])),
    tokens: used.tokens,
    costUsd: used.costUnknown !== undefined ? null : used.costUsd,
    ...(used.costUnknown !== undefined && used.costUsd > 0 ? { costKnownUsd: used.costUsd } : {}),
    modelCalls: used.modelCalls ?? 0,
    toolCalls: used.toolCalls ?? 0,
    ...(record.toolFailures === undefined ? {} : { toolFailures: record.toolFailures }),
    models: record.models ?? [],
    outputRef: record.output?.sha256 ?? null,
    transcriptRef: record.transcript?.sha256 ?? null,
    ...(record.evidence === undefined ? {} : { evidence: record.evidence }),
    ...(record.session === undefined ? {} : { session: record.session }),
    ...(record.denied === undefined ? {} : { denied: record.denied }),
    ...(record.restored === undefined ? {} : { restored: record.restored }),
    ...(record.judgement === undefined ? {} : { judgement: record.judgement }),
    ...(record.confidence === undefined ? {} : { confidence: record.confidence }),
    ...(record.diagnosis === undefined ? {} : { diagnosis: record.diagnosis }),
    ...(record.lessons === undefined ? {} : { lessons: record.lessons.map(({ id }) => id) }),
  };
}

/** The record of an attempt that has begun. */
export function openRecord(state: TaskState, id: string): AttemptRecord {
  const record = recordOf(state, id);
  if (record === undefined) throw new Error(`${id} has no attempt`);
  return record;
}

/** Keeps the newest signals that were refused. */
export function noteRefusal(state: TaskState, { reason }: EventOf<'message.refused'>): void {
  state.log.refused = [...state.log.refused, reason].slice(-3);
}
