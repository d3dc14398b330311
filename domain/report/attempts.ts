import { isUnpriced } from '../llm/price.ts';
import { sumUses, type RoleUse } from '../llm/sum-uses.ts';
import type { ModelUse } from '../types/agent.ts';
import type { AttemptView } from '../types/attempt-view.ts';
import type { ReportDecision } from './events.ts';
import type { StatusView } from '../views/task-status.ts';

/** A subtask that was completed after more than one attempt, and the cost of that. */
export interface RecoveredSubtask {
  id: string;
  attempts: number;
  /** The rung of the accepted attempt. */
  rung: number;
  tier: number;
  strategy: string;
  /** The person whose answer the last attempt followed, if any. */
  guidedBy: string | null;
  signatures: string[];
  /** Null: unknown. Otherwise the known part of all attempts. */
  usd: number | null;
  tokens: number;
}

/** One failure with all its occurrences: the same signature, other numbers. */
export interface FailurePattern {
  count: number;
  type: string;
  /** The newest wording. */
  summary: string;
  subtasks: string[];
  /** The rungs and answers that fixed it; empty when none did. */
  fixedBy: { rung: number; strategy: string; guidedBy: string | null; subtasks: string[] }[];
}

export interface ReportCost {
  /** The known part; null when nothing is known. */
  usd: number | null;
  tokens: number;
  /** Attempts of unknown cost: the whole is more than `usd`. */
  unknownAttempts: number;
  /** Models that used tokens and have no price: the whole is more than `usd`. */
  unpricedModels: string[];
  /** The average cost of a recovered subtask, with all its attempts. */
  usdPerRecovered: number | null;
  tokensPerRecovered: number | null;
  /** The cost of failed attempts. */
  failedUsd: number | null;
  failedTokens: number;
  /** The cost outside attempts, such as planning. */
  otherUsd: number;
  otherTokens: number;
}

/** Groups attempts by subtask in the order of the first attempts. */
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

/** The end of an attempt for counting: a result that was never checked is not a pass. */
export const classifyEnd = ({ outcome, verdict }: AttemptView): AttemptView['outcome'] | 'unchecked' =>
  outcome === 'passed' && verdict === 'unchecked' ? 'unchecked' : outcome;

export function tally(keys: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Lists recoveries in plan order. The subtask's state decides, because a result that was not accepted is no recovery. */
export function listRecovered(
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
        guidedBy: strategy === 'guidance' ? findGuide(decisions, id, passed.startedAt) : null,
        signatures: [...new Set(signatures)],
        usd: sumUsd(own),
        tokens: sumTokens(own),
      },
    ];
  });
}

/** An attempt follows the last answer before its start. */
function findGuide(decisions: readonly ReportDecision[], subtask: string, startedAt: string): string | null {
  const before = decisions.filter((decision) => decision.subtask === subtask && (decision.at ?? '~') <= startedAt);
  return before.at(-1)?.by ?? 'a person';
}

/** Lists the most frequent failures first. A recovery counts for each failure of its subtask, as in the project's memory. */
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
        fixedBy: listFixes(signature, recovered),
      },
    ];
  });
  return Object.fromEntries(patterns.sort(([, a], [, b]) => b.count - a.count));
}

function listFixes(signature: string, recovered: readonly RecoveredSubtask[]): FailurePattern['fixedBy'] {
  const fixes: FailurePattern['fixedBy'] = [];
  for (const { id, rung, strategy, guidedBy, signatures } of recovered) {
    if (!signatures.includes(signature)) continue;
    const same = fixes.find((fix) => fix.rung === rung && fix.strategy === strategy && fix.guidedBy === guidedBy);
    if (same === undefined) fixes.push({ rung, strategy, guidedBy, subtasks: [id] });
    else same.subtasks.push(id);
  }
  return fixes.sort((a, b) => b.subtasks.length - a.subtasks.length);
}

export function sumCost(
  { budget }: StatusView,
  records: readonly AttemptView[],
  { recovered, models }: { recovered: readonly RecoveredSubtask[]; models: readonly RoleUse[] },
): ReportCost {
  const failed = records.filter(({ outcome }) => outcome === 'failed');
  const usd = sumKnownUsd(records);
  const tokens = sumTokens(records);
  // The budget counts attempts when they end, and everything else that is spent on the task.
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
    unpricedModels: [...new Set(models.filter(isUnpriced).map(({ model }) => model))],
    usdPerRecovered: usdEach === null ? null : roundUsd(usdEach),
    tokensPerRecovered: each(recovered.reduce((sum, subtask) => sum + subtask.tokens, 0)),
    failedUsd: sumUsd(failed),
    failedTokens: sumTokens(failed),
    otherUsd,
    otherTokens,
  };
}

/** The use of each model in each role, for the plan and in all attempts, the most expensive first. */
export function sumModels(records: readonly AttemptView[], planner: readonly ModelUse[]): RoleUse[] {
  const all = sumUses([...planner, ...records.flatMap(({ models }) => models)]);
  return all.sort((a, b) => b.costUsd - a.costUsd || b.tokens - a.tokens);
}

/** Sums of decimal fractions get tails of digits that nobody spent. */
const roundUsd = (usd: number): number => Math.round(usd * 1e6) / 1e6;

/** Sums the known costs. */
const sumKnownUsd = (records: readonly AttemptView[]): number =>
  roundUsd(records.reduce((total, { costUsd, costKnownUsd = 0 }) => total + (costUsd ?? costKnownUsd), 0));

/** Returns null where costs are unknown, which is not the same as nothing. */
function sumUsd(records: readonly AttemptView[]): number | null {
  const usd = sumKnownUsd(records);
  return usd === 0 && records.some(({ costUsd }) => costUsd === null) ? null : usd;
}

const sumTokens = (records: readonly AttemptView[]): number => records.reduce((total, { tokens }) => total + tokens, 0);
