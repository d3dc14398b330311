import { formatBudget } from '../../domain/events/format-budget.ts';
import type { BudgetKey } from '../../domain/types/basic/budget.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import type { Report } from '../../domain/report/report.ts';
import { table, type ReportTable } from './table.ts';
import * as words from './report-text.ts';

/** The summary of a task's recovery as the metrics that people compare. */
export function summaryTable(report: Report): ReportTable {
  const { subtasks, attempts, cost, lessons } = report;
  const share = (count: number): string =>
    attempts.tried === 0 ? String(count) : `${count} (${words.formatPercent(count / attempts.tried)})`;
  const each =
    cost.usdPerRecovered === null
      ? []
      : [['Per recovered subtask', formatCost(cost.usdPerRecovered, cost.tokensPerRecovered ?? 0)]];
  const some = (name: string, count: number): string[][] => (count === 0 ? [] : [[name, String(count)]]);
  const rows = [
    ['Subtasks', String(subtasks.total)],
    ['Completed', String(subtasks.completed)],
    ...some('of these only in part', subtasks.partial),
    ...some('of these with warnings', subtasks.withWarnings),
    ...some('of these unchecked', subtasks.unchecked),
    ...some('of these reused', subtasks.reused),
    ['Failed', String(subtasks.failed - subtasks.blocked)],
    ...some('Blocked', subtasks.blocked),
    ['Skipped', String(subtasks.skipped)],
    ...some('Not ended', subtasks.open),
    ['Attempts', String(attempts.total)],
    ['Passed on the first try', share(attempts.firstTry)],
    ['Tried more than once', share(attempts.retried)],
    ['Recovered', String(attempts.recovered)],
    ['Questions to a person after failures', String(attempts.escalated)],
    ...some('Reruns after a crash', attempts.reruns),
    ...some('Lessons learned', lessons.learned),
    ...some('Lessons shown', lessons.shown),
    ...some('of these to attempts that passed', lessons.helped),
    ...(attempts.waits === 0
      ? []
      : [['Waits for the environment', `${attempts.waits} (${formatDuration(attempts.waitMs)})`]]),
    ['Cost', `${words.formatTotal(cost)}, ${words.formatNumber(cost.tokens)} tokens`],
    ...some('Attempts of unknown cost', cost.unknownAttempts),
    ...(cost.failedUsd === 0 && cost.failedTokens === 0
      ? []
      : [['of this on failed attempts', formatCost(cost.failedUsd, cost.failedTokens)]]),
    ...(cost.otherUsd + cost.otherTokens === 0
      ? []
      : [['of this outside attempts', formatCost(cost.otherUsd, cost.otherTokens)]]),
    ...each,
  ];
  return table('Summary', ['Metric', 'Value#'], rows);
}

const formatCost = (usd: number | null, tokens: number): string =>
  `${words.formatUsd(usd)}, ${words.formatNumber(tokens)} tokens`;

export function budgetTable({ budget }: Report): ReportTable {
  const rows = (Object.keys(budget) as BudgetKey[]).flatMap((key) => {
    const entry = budget[key];
    if (entry === undefined) return [];
    return [
      [formatBudget(key), formatUsage(key, entry.used), entry.limit === null ? 'none' : formatUsage(key, entry.limit)],
    ];
  });
  return table('Budget', ['What', 'Used#', 'Limit#'], rows);
}

function formatUsage(key: BudgetKey, value: number): string {
  if (key === 'wallClock') return formatDuration(value);
  return key === 'costUsd' ? words.formatUsd(value) : words.formatNumber(value);
}

/** One sentence for the head of a report. */
export function formatSpan({ startedAt, endedAt }: Report): string {
  const started = `Started ${words.formatTime(startedAt)}`;
  if (endedAt === null) return `${started}, not ended`;
  return `${started}, ended ${words.formatTime(endedAt)} (${words.formatTook(startedAt, endedAt)})`;
}
