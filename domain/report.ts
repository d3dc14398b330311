import type { LoggedEvent } from './events.ts';
import type { AttemptRecord } from './failure.ts';
import type { StatusView } from './status.ts';

/** What a task was, counted: the shape of `heddle report --json`. */
export interface Report {
  id: string;
  state: string;
  goal: string;
  summary: string;
  startedAt: string;
  endedAt: string | null;
  subtasks: { total: number; completed: number; failed: number; skipped: number };
  attempts: { total: number; firstTryRate: number; recovered: number; escalated: number; reruns: number };
  failuresByType: Record<string, number>;
  failuresBySignature: Record<string, { count: number; type: string; summary: string }>;
  /** Subtasks that passed after a failure, by the rung that did it. */
  recoveryByRung: Record<string, number>;
  cost: { usd: number; tokens: number; usdPerRecovered: number | null };
  decisions: { id: string; kind: string; option: string | null; by: string | null; at: string | null }[];
  files: string[];
  skipped: { id: string; reason: string | null }[];
  records: AttemptRecord[];
}

export function buildReport(status: StatusView, records: AttemptRecord[], events: readonly LoggedEvent[]): Report {
  const failed = records.filter(({ outcome }) => outcome === 'failed');
  const recovered = records.filter(({ outcome, attempt }) => outcome === 'passed' && attempt > 1);
  const firstTry = records.filter(({ outcome, attempt }) => outcome === 'passed' && attempt === 1).length;
  const tried = new Set(records.map(({ subtask }) => subtask)).size;
  const recoveredCost = records
    .filter(({ subtask }) => recovered.some((record) => record.subtask === subtask))
    .reduce((sum, { costUsd }) => sum + costUsd, 0);
  const count = (state: string): number => status.subtasks.filter((subtask) => subtask.state === state).length;
  return {
    id: status.id,
    state: status.state,
    goal: status.goal,
    summary: status.summary,
    startedAt: status.startedAt,
    endedAt: status.endedAt,
    subtasks: {
      total: status.subtasks.length,
      completed: count('completed'),
      failed: count('failed') + count('blocked'),
      skipped: count('skipped'),
    },
    attempts: {
      total: records.length,
      firstTryRate: tried === 0 ? 0 : firstTry / tried,
      recovered: recovered.length,
      escalated: events.filter(isEscalation).length,
      reruns: records.reduce((sum, { reruns }) => sum + reruns, 0),
    },
    failuresByType: tally(failed.map(({ type }) => type ?? 'unknown')),
    failuresBySignature: bySignature(failed),
    recoveryByRung: tally(recovered.map(({ rung }) => String(rung))),
    cost: {
      usd: sum(records, 'costUsd'),
      tokens: sum(records, 'tokens'),
      usdPerRecovered: recovered.length === 0 ? null : recoveredCost / recovered.length,
    },
    decisions: decisionsOf(events),
    files: filesOf(records),
    skipped: status.subtasks.filter(({ state }) => state === 'skipped').map(({ id, reason }) => ({ id, reason })),
    records,
  };
}

const isEscalation = (event: LoggedEvent): boolean =>
  event.type === 'decision.opened' && (event['decision'] as { kind?: string } | undefined)?.kind === 'escalation';

const sum = (records: readonly AttemptRecord[], key: 'costUsd' | 'tokens'): number =>
  records.reduce((total, record) => total + record[key], 0);

function tally(keys: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function bySignature(failed: readonly AttemptRecord[]): Report['failuresBySignature'] {
  const found = new Map<string, { count: number; type: string; summary: string }>();
  for (const { signature, type, summary } of failed) {
    const key = signature ?? 'none';
    found.set(key, { count: (found.get(key)?.count ?? 0) + 1, type: type ?? 'unknown', summary });
  }
  return Object.fromEntries(found);
}

function decisionsOf(events: readonly LoggedEvent[]): Report['decisions'] {
  const found = new Map<string, Report['decisions'][number]>();
  for (const event of events) {
    if (event.type === 'decision.opened') {
      const { id, kind } = event['decision'] as { id: string; kind: string };
      found.set(id, { id, kind, option: null, by: null, at: null });
    }
    const opened = event.type === 'decision.answered' ? found.get(String(event['decisionId'])) : undefined;
    if (opened !== undefined) {
      opened.option = String(event['option']);
      opened.by = typeof event['by'] === 'string' ? event['by'] : null;
      opened.at = event.time;
    }
  }
  return [...found.values()];
}

function filesOf(records: readonly AttemptRecord[]): string[] {
  const changed = records.flatMap(({ filesAffected }) =>
    filesAffected.filter(({ state }) => state === 'created' || state === 'modified'),
  );
  return [...new Set(changed.map(({ path }) => path))].sort();
}
