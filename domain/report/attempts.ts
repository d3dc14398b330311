import { sumUses, type RoleUse } from '../llm/sum-uses.ts';
import type { ModelUse } from '../types/agent.ts';
import type { AttemptView } from '../types/attempt-view.ts';
import type { ReportDecision } from './events.ts';
import type { StatusView } from '../views/task-status.ts';

/** A subtask that was completed after more than one attempt, and what that took. */
export interface RecoveredSubtask {
  id: string;
  attempts: number;
  /** Of the attempt that was accepted. */
  rung: number;
  tier: number;
  strategy: string;
  /** Whose answer the last attempt followed, when it followed one. */
  guidedBy: string | null;
  signatures: string[];
  /** Null: nobody knows. Of several attempts, the part that is known. */
  usd: number | null;
  tokens: number;
}

/** One failure, however often it was met: the same signature with other numbers in it. */
export interface FailurePattern {
  count: number;
  type: string;
  /** As it was said the last time. */
  summary: string;
  subtasks: string[];
  /** What led out of it; empty when nothing did. */
  fixedBy: { rung: number; strategy: string; guidedBy: string | null; subtasks: string[] }[];
}

export interface ReportCost {
  /** What is known of it; null when nothing is. */
  usd: number | null;
  tokens: number;
  /** Attempts whose cost nobody knows: the whole is more than `usd`. */
  unknownAttempts: number;
  /** What a recovered subtask cost on average, with all its attempts. */
  usdPerRecovered: number | null;
  tokensPerRecovered: number | null;
  /** Spent on attempts that failed. */
  failedUsd: number | null;
  failedTokens: number;
  /** Spent outside attempts: planning and the like. */
  otherUsd: number;
  otherTokens: number;
}

/** Keeps the order of the first attempts. */
export function attemptsBySubtask(records: readonly AttemptView[]): Map<string, AttemptView[]> {
  const groups = new Map<string, AttemptView[]>();
  for (const record of records) {
    const { subtask } = record;
    groups
      .set(subtask, groups.get(subtask) ?? [])
      .get(subtask)
      ?.push(record);
  }
  return groups;
}

/** How an attempt ended, for counting: what nothing looked at is no pass. */
export const endOf = ({ outcome, verdict }: AttemptView): AttemptView['outcome'] | 'unchecked' =>
  outcome === 'passed' && verdict === 'unchecked' ? 'unchecked' : outcome;

export function tally(keys: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** In plan order. The state decides, not an attempt: a result that nobody accepted is no recovery. */
export function recoveredOf(
  status: StatusView,
  records: readonly AttemptView[],
  decisions: readonly ReportDecision[],
): RecoveredSubtask[] {
  const groups = attemptsBySubtask(records);
  return status.subtasks.flatMap(({ id, state }) => {
    const own = groups.get(id) ?? [];
    const passed = own.findLast(({ outcome }) => outcome === 'passed');
    if (state !== 'completed' || own.length < 2 || passed === undefined) return [];
    const { rung, tier, strategy } = passed;
    const signatures = own.flatMap(({ outcome, signature }) => (outcome === 'failed' ? [signature ?? 'none'] : []));
    return [
      {
        id,
        attempts: own.length,
        rung,
        tier,
        strategy,
        guidedBy: strategy === 'guidance' ? whoGuided(decisions, id, passed.startedAt) : null,
        signatures: [...new Set(signatures)],
        usd: sumUsd(own),
        tokens: sumTokens(own),
      },
    ];
  });
}

/** The answer that the attempt followed is the last one before its start. */
function whoGuided(decisions: readonly ReportDecision[], subtask: string, startedAt: string): string | null {
  const before = decisions.filter((decision) => decision.subtask === subtask && (decision.at ?? '~') <= startedAt);
  return before.at(-1)?.by ?? 'a person';
}

/** The most frequent first. What led a subtask out of its failures counts for each of them, as the project's memory learns it. */
export function failurePatterns(
  failures: readonly AttemptView[],
  recovered: readonly RecoveredSubtask[],
): Record<string, FailurePattern> {
  const groups = new Map<string, AttemptView[]>();
  for (const failure of failures) {
    const key = failure.signature ?? 'none';
    groups
      .set(key, groups.get(key) ?? [])
      .get(key)
      ?.push(failure);
  }
  const patterns = [...groups].map(([signature, own]): [string, FailurePattern] => {
    const newest = own.at(-1);
    return [
      signature,
      {
        count: own.length,
        type: newest?.type ?? 'unknown',
        summary: newest?.summary ?? '',
        subtasks: [...new Set(own.map(({ subtask }) => subtask))],
        fixedBy: fixesOf(signature, recovered),
      },
    ];
  });
  return Object.fromEntries(patterns.sort(([, a], [, b]) => b.count - a.count));
}

function fixesOf(signature: string, recovered: readonly RecoveredSubtask[]): FailurePattern['fixedBy'] {
  const fixes: FailurePattern['fixedBy'] = [];
  for (const { id, rung, strategy, guidedBy, signatures } of recovered) {
    if (!signatures.includes(signature)) continue;
    const same = fixes.find((fix) => fix.rung === rung && fix.strategy === strategy && fix.guidedBy === guidedBy);
    if (same === undefined) fixes.push({ rung, strategy, guidedBy, subtasks: [id] });
    else same.subtasks.push(id);
  }
  return fixes.sort((a, b) => b.subtasks.length - a.subtasks.length);
}

export function costOf(
  { budget }: StatusView,
  records: readonly AttemptView[],
  recovered: readonly RecoveredSubtask[],
): ReportCost {
  const failed = records.filter(({ outcome }) => outcome === 'failed');
  const usd = knownUsd(records);
  const tokens = sumTokens(records);
  // The budget counts attempts when they end, and whatever else is spent on the task.
  const otherUsd = Math.max(0, roundUsd((budget.costUsd?.used ?? 0) - usd));
  const otherTokens = Math.max(0, (budget.tokens?.used ?? 0) - tokens);
  const each = (total: number): number | null => (recovered.length === 0 ? null : total / recovered.length);
  const usdEach = recovered.some((subtask) => subtask.usd === null)
    ? null
    : each(recovered.reduce((sum, subtask) => sum + (subtask.usd ?? 0), 0));
  const all = roundUsd(usd + otherUsd);
  return {
    usd: all === 0 ? sumUsd(records) : all,
    tokens: tokens + otherTokens,
    unknownAttempts: records.filter(({ costUsd }) => costUsd === null).length,
    usdPerRecovered: usdEach === null ? null : roundUsd(usdEach),
    tokensPerRecovered: each(recovered.reduce((sum, subtask) => sum + subtask.tokens, 0)),
    failedUsd: sumUsd(failed),
    failedTokens: sumTokens(failed),
    otherUsd,
    otherTokens,
  };
}

/** What each model did in each role, for the plan and in all attempts, the dearest first. */
export function modelsOf(records: readonly AttemptView[], planner: readonly ModelUse[]): RoleUse[] {
  const all = sumUses([...planner, ...records.flatMap(({ models }) => models)]);
  return all.sort((a, b) => b.costUsd - a.costUsd || b.tokens - a.tokens);
}

/** Sums of decimal fractions grow tails that nobody spent. */
const roundUsd = (usd: number): number => Math.round(usd * 1e6) / 1e6;

/** As far as it is known. */
const knownUsd = (records: readonly AttemptView[]): number =>
  roundUsd(records.reduce((total, { costUsd, costKnownUsd = 0 }) => total + (costUsd ?? costKnownUsd), 0));

/** Null where nothing is known of what cost something: that is not nothing. */
function sumUsd(records: readonly AttemptView[]): number | null {
  const known = knownUsd(records);
  return known === 0 && records.some(({ costUsd }) => costUsd === null) ? null : known;
}

const sumTokens = (records: readonly AttemptView[]): number => records.reduce((total, { tokens }) => total + tokens, 0);
