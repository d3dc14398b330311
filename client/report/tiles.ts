import { formatDuration } from '../../domain/text/duration.ts';
import type { Report } from '../../domain/report/report.ts';
import { formatCount } from '../../domain/text/text.ts';
import { markup, type Markup } from '../html/markup.ts';
import { formatNumber, formatPercent, formatTook, formatTotal } from './report-text.ts';

type Tile = [name: string, value: string, more: string];

/** The figures that a reader looks for first. */
export function buildTiles(report: Report): Markup {
  const tiles = figures(report).map(
    ([name, value, more]) =>
      markup`<div class="tile"><dt>${name}</dt><dd class="value">${value}</dd><dd class="more">${more}</dd></div>`,
  );
  return markup`<dl class="tiles">${tiles}</dl>`;
}

function figures({ subtasks, attempts, cost, startedAt, endedAt }: Report): Tile[] {
  return [
    ['Completed', `${subtasks.completed} of ${subtasks.total}`, formatRest(subtasks)],
    [
      'First try',
      attempts.tried === 0 ? '–' : formatPercent(attempts.firstTryRate),
      `${attempts.firstTry} of ${formatCount(attempts.tried, 'subtask')} tried and checked`,
    ],
    ['Recovered', String(attempts.recovered), `of ${attempts.retried} tried more than once`],
    ['Attempts', String(attempts.total), `${attempts.failed} failed`],
    ['Asked a person', String(attempts.escalated), 'after failures'],
    [
      'Interruptions',
      String(attempts.reruns + attempts.waits),
      `${formatCount(attempts.reruns, 'rerun')} after crashes, ${formatCount(attempts.waits, 'wait')}${attempts.waitMs > 0 ? ` (${formatDuration(attempts.waitMs)})` : ''}`,
    ],
    ['Cost', formatTotal(cost), `${formatNumber(cost.tokens)} tokens`],
    [
      'Time',
      endedAt === null ? '–' : formatTook(startedAt, endedAt),
      endedAt === null ? 'not ended' : 'from start to end',
    ],
  ];
}

function formatRest({ failed, skipped, open, partial, unchecked }: Report['subtasks']): string {
  const parts = [
    ...(partial > 0 ? [`${partial} only in part`] : []),
    ...(unchecked > 0 ? [`${unchecked} unchecked`] : []),
    ...(failed > 0 ? [`${failed} failed or blocked`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(open > 0 ? [`${open} not ended`] : []),
  ];
  return parts.length === 0 ? 'subtasks' : parts.join(', ');
}
