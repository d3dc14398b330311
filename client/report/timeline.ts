import { formatDuration } from '../../domain/text/duration.ts';
import type { AttemptView } from '../../domain/types/attempt-view.ts';
import { clientLimits } from '../limits/client-limits.ts';
import { attemptsBySubtask, classifyEnd } from '../../domain/report/attempts.ts';
import type { ReportDecision } from '../../domain/report/events.ts';
import type { Report } from '../../domain/report/report.ts';
import { formatCount } from '../../domain/text/text.ts';
import { markup, nothing, type Markup } from '../html/markup.ts';
import { timeScale, type Span, type TimeScale } from './time-scale.ts';
import { displayWidth, fit } from '../terminal/text/terminal-text.ts';

const rowHeight = 22;
const barHeight = 14;
const headHeight = 24;
const chartWidth = 760;
/** Columns of a name, and pixels that one takes at the size of the labels. */
const nameColumns = 28;
const columnWidth = 6.7;
const gap = 12;
/** An attempt of no length is still seen. */
const leastBar = 3;
const labelWidth = 26;

export const outcomeMarks: Record<ReturnType<typeof classifyEnd>, string> = {
  passed: '✓',
  unchecked: '○',
  failed: '✗',
  cancelled: '–',
  running: '…',
};

interface Row {
  id: string;
  attempts: { record: AttemptView; span: Span }[];
  decisions: ReportDecision[];
}

export interface Timeline {
  svg: Markup;
  /** A note on what is not in the picture. */
  note: string;
}

/** Every attempt as a bar on a common time axis, a row for each subtask; undefined when nothing has run. */
export function timeline(report: Report, now: number): Timeline | undefined {
  const end = Date.parse(report.endedAt ?? '') || now;
  const all = buildRows(report, end);
  const rows = longest(all, clientLimits.report.timelineRows);
  if (rows.length === 0) return undefined;
  const spans = rows.flatMap(({ attempts }) => attempts.map(({ span }) => span));
  const start = Math.min(Date.parse(report.startedAt) || Infinity, ...spans.map(({ from }) => from));
  const whole = { from: start, to: Math.max(end, ...spans.map(({ to }) => to)) };
  const scale = timeScale(spans, whole, chartWidth);
  const left = Math.max(...rows.map(({ id }) => displayWidth(fit(id, nameColumns)))) * columnWidth + gap;
  const notes = [
    ...(rows.length < all.length ? [`The ${rows.length} subtasks that ran longest, of ${all.length}.`] : []),
    ...(scale.cuts.length > 0
      ? [
          `Hatched: time in which nothing ran, ${formatDuration(scale.cuts.reduce((sum, { ms }) => sum + ms, 0))} in all, is shortened.`,
        ]
      : []),
  ];
  return { svg: draw(rows, { scale, left, end: whole.to }), note: notes.join(' ') };
}

function buildRows({ records, decisions }: Report, end: number): Row[] {
  return [...attemptsBySubtask(records)].map(([id, own]) => ({
    id,
    attempts: own.flatMap((record) => {
      const from = Date.parse(record.startedAt);
      const to = record.endedAt === null ? end : Date.parse(record.endedAt);
      return Number.isNaN(from) || Number.isNaN(to) ? [] : [{ record, span: { from, to: Math.max(from, to) } }];
    }),
    decisions: decisions.filter(({ subtask, openedAt }) => subtask === id && openedAt !== null),
  }));
}

/** The longest ones, in the order in which they started. */
function longest(rows: readonly Row[], most: number): Row[] {
  const busy = ({ attempts }: Row): number => attempts.reduce((sum, { span }) => sum + span.to - span.from, 0);
  const kept = new Set([...rows].sort((a, b) => busy(b) - busy(a)).slice(0, most));
  return rows.filter((row) => kept.has(row) && row.attempts.length > 0);
}

interface Frame {
  scale: TimeScale;
  left: number;
  end: number;
}

function draw(rows: readonly Row[], frame: Frame): Markup {
  const { scale, left } = frame;
  const height = headHeight + rows.length * rowHeight + 4;
  const attempts = rows.reduce((sum, row) => sum + row.attempts.length, 0);
  const description = `${formatCount(rows.length, 'subtask')} with ${formatCount(attempts, 'attempt')}; time runs from left to right. The table of subtasks below has the figures.`;
  return markup`<svg class="timeline" viewBox="0 0 ${round(left + chartWidth + labelWidth)} ${height}" role="img" aria-labelledby="timeline-title timeline-desc">
<title id="timeline-title">Timeline of attempts by subtask</title>
<desc id="timeline-desc">${description}</desc>
<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch" width="1.5" height="6"/></pattern></defs>
${rows.map((_, index) => (index % 2 === 0 ? stripe(index, left) : nothing))}
${scale.cuts.map(({ x, width, ms }) => cut(left + x, width, ms, height))}
${scale.ticks.map(({ x, label }) => tick(left + x, label, height))}
${rows.map((row, index) => drawRow(row, headHeight + index * rowHeight, frame))}
</svg>`;
}

const stripe = (index: number, left: number): Markup =>
  markup`<rect class="stripe" x="0" y="${headHeight + index * rowHeight}" width="${round(left + chartWidth + labelWidth)}" height="${rowHeight}"/>`;

const cut = (x: number, width: number, ms: number, height: number): Markup =>
  markup`<g><title>Nothing ran for ${formatDuration(ms)}</title><rect class="cut" x="${round(x)}" y="${headHeight}" width="${round(width)}" height="${height - headHeight}" fill="url(#hatch)"/></g>`;

const tick = (x: number, label: string, height: number): Markup =>
  markup`<g><line class="grid" x1="${round(x)}" y1="${headHeight - 4}" x2="${round(x)}" y2="${height}"/><text class="axis" x="${round(x)}" y="${headHeight - 9}">${label}</text></g>`;

function drawRow({ id, attempts, decisions }: Row, top: number, frame: Frame): Markup {
  const { scale, left } = frame;
  const middle = top + rowHeight / 2;
  const at = (time: number): number => left + scale.at(time);
  const bars = attempts.map(({ record, span }, index) => {
    const next = attempts[index + 1];
    const free = next === undefined ? Infinity : at(next.span.from);
    return bar(record, { from: at(span.from), to: at(span.to), free }, middle);
  });
  const waits = decisions.map((decision) => wait(decision, at, middle, frame.end));
  return markup`<g><text class="name" x="0" y="${middle + 4}">${fit(id, nameColumns)}<title>${id}</title></text>
${waits}
${bars}</g>`;
}

/** A question that was open: the subtask stood still. */
function wait(decision: ReportDecision, at: (time: number) => number, middle: number, end: number): Markup {
  const from = Date.parse(decision.openedAt ?? '');
  const to = decision.at === null ? end : Date.parse(decision.at);
  const answerText = decision.option === null ? 'not answered' : `answered ${decision.option}`;
  return markup`<g><title>Waited for a person: ${decision.id}, ${answerText}, ${formatDuration(Math.max(0, to - from))}</title><line class="asked" x1="${round(at(from))}" y1="${middle}" x2="${round(at(to))}" y2="${middle}"/></g>`;
}

function bar(
  record: AttemptView,
  { from, to, free }: { from: number; to: number; free: number },
  middle: number,
): Markup {
  const width = Math.max(leastBar, to - from);
  const inside = width >= labelWidth;
  const label = `${record.rung} ${outcomeMarks[classifyEnd(record)]}`;
  const beside = !inside && free - from - width >= labelWidth;
  const text = inside
    ? markup`<text class="inside" x="${round(from + width / 2)}" y="${middle + 4}">${label}</text>`
    : beside
      ? markup`<text class="beside" x="${round(from + width + 4)}" y="${middle + 4}">${label.replace(' ', '')}</text>`
      : nothing;
  return markup`<g class="${classifyEnd(record)}"><title>${formatAttempt(record)}</title><rect x="${round(from)}" y="${middle - barHeight / 2}" width="${round(width)}" height="${barHeight}" rx="2"/>${text}</g>`;
}

function formatAttempt(record: AttemptView): string {
  const { subtask, attempt, outcome, rung, tier, thinking, type, startedAt, endedAt, waits } = record;
  const took =
    endedAt === null ? '' : ` in ${formatDuration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))}`;
  const how = `rung ${rung}, tier ${tier}${thinking ? ', thinking' : ''}`;
  const waited = waits.length === 0 ? '' : `, ${formatCount(waits.length, 'wait')} for the environment`;
  return `${subtask}, attempt ${attempt}: ${classifyEnd(record)}${outcome === 'failed' ? ` (${type ?? 'unknown'})` : ''}${took}; ${how}${waited}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
