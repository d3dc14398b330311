import { formatDuration } from '../../domain/text/duration.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { FailurePattern } from '../../domain/report/attempts.ts';
import type { ReportDecision } from '../../domain/report/events.ts';
import type { SkippedSubtask } from '../../domain/report/skipped.ts';
import type { Report } from '../../domain/report/report.ts';
import type { SubtaskView } from '../../domain/views/task-status.ts';
import { formatAmount } from '../../domain/events/format-budget.ts';
import { clip, oneLine, formatList } from '../../domain/text/text.ts';

/** How a report says things, in Markdown and on the page alike. */

export const formatNames = (names: readonly string[]): string => formatList(names, clientLimits.report.names);

export const formatUsd = (usd: number | null): string => (usd === null ? 'unknown' : formatAmount('costUsd', usd));

/** The known part of a task's cost, with a note where it is not all. */
export function formatTotal({ usd, unknownAttempts, unpricedModels }: Report['cost']): string {
  const why = unpricedModels.length === 0 ? '' : ` (no price for ${formatNames(unpricedModels)})`;
  if (usd === null || (usd === 0 && why !== '')) return `unknown${why}`;
  return `${unknownAttempts > 0 || why !== '' ? 'at least ' : ''}${formatUsd(usd)}${why}`;
}

export const formatNumber = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });

export const formatPercent = (share: number): string => `${Math.round(share * 100)} %`;

/** To the second, and in which zone. */
export function formatTime(iso: string | null): string {
  return iso === null || iso === '' ? '' : `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

export function formatTook(startedAt: string | null, endedAt: string | null): string {
  const ms = Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '');
  return Number.isNaN(ms) ? '' : formatDuration(Math.max(0, ms));
}

/** The end of each subtask, and what to look at. */
export function resultFormatter(report: Report): (subtask: SubtaskView) => string {
  const reused = new Map(report.reused.map(({ id, from }) => [id, from]));
  const escalated = new Set(report.decisions.filter(({ kind }) => kind === 'escalation').map(({ subtask }) => subtask));
  const attempts = new Map(report.recovered.map(({ id, attempts: count }) => [id, count]));
  return ({ id, state, verdict, partial }) => {
    const note = escalated.has(id) ? ', a person was asked' : '';
    if (state !== 'completed') return `${state === 'skipped' ? 'skipped' : state}${note}`;
    const result = verdict === null || verdict === 'pass' ? 'completed' : (verdictTexts[verdict] ?? verdict);
    if (verdict === 'unchecked' && partial === true) return `done only in part, unchecked${note}`;
    const from = reused.get(id);
    if (from !== undefined) return `${result}, reused from ${from ?? 'an earlier task'}`;
    const count = attempts.get(id);
    if (verdict === 'unchecked' && count === undefined) return `${result}${note}`;
    return `${result} ${count === undefined ? 'on the first try' : `after ${count} attempts`}${note}`;
  };
}

const verdictTexts: Partial<Record<string, string>> = {
  'pass-with-warnings': 'completed with warnings',
  unchecked: 'done, unchecked',
  'partial-verified': 'completed only in part (partial-verified)',
};

const strategyTexts: Partial<Record<string, string>> = {
  first: 'another attempt',
  feedback: 'feedback',
  stronger: 'a higher tier',
  strongest: 'the highest tier with thinking',
  remembered: 'what the project remembered',
  guidance: 'a person’s guidance',
};

export function formatFix({ fixedBy }: FailurePattern): string {
  if (fixedBy.length === 0) return 'nothing';
  return fixedBy
    .map(({ rung, strategy, guidedBy, subtasks }) => {
      const who = guidedBy === null ? '' : ` (${guidedBy})`;
      return `rung ${rung}, ${strategyTexts[strategy] ?? strategy}${who}: ${formatNames(subtasks)}`;
    })
    .join('; ');
}

export function formatImpact({ impact }: SkippedSubtask): string {
  const parts = [
    ...(impact.told.length === 0 ? [] : [`${formatNames(impact.told)} ran without it`]),
    ...(impact.willBeTold.length === 0 ? [] : [`${formatNames(impact.willBeTold)} will run without it`]),
    ...(impact.notRun.length === 0 ? [] : [`${formatNames(impact.notRun)} did not run`]),
  ];
  return parts.length === 0 ? 'nothing depends on it' : parts.join('; ');
}

/** The option, and what was said with it. */
export function formatAnswer({ option, said }: ReportDecision): string | null {
  return option === null || said === null ? option : `${option}: ${clip(oneLine(said), clientLimits.report.said)}`;
}

export function formatWho({ by, source }: ReportDecision): string {
  if (source === null) return '';
  const name = by ?? 'someone';
  if (source === 'policy') return `policy, no person: ${name.replace(/^policy \((.*)\)$/, '$1')}`;
  return source === 'standing' ? `standing answer: ${name}` : name;
}
