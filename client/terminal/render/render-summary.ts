import { formatDuration } from '../../../domain/text/duration.ts';
import type { Report } from '../../../domain/report/report.ts';
import { formatCount } from '../../../domain/text/text.ts';
import { clientLimits } from '../../limits/client-limits.ts';
import type { TaskChanges } from '../../report/task-changes.ts';
import { formatSpent, formatUndo } from '../../report/work-tables.ts';
import type { Paint } from '../text/paint.ts';
import { renderTable, type Row } from './table.ts';
import { lookOfTask } from './subtask-row.ts';
import type { StatusView } from '../../../domain/views/task-status.ts';
import { plainLine, wrap } from '../text/terminal-text.ts';
import { checkRows, fileRows, workLines } from './work-lines.ts';

export interface SummaryOptions {
  status: StatusView;
  changes: TaskChanges | string;
  link: string | null;
  width: number;
  paint: Paint;
}

/** The card at a task's end: what was done, how it was checked, what changed and cost, and what comes next. */
export function renderSummary(report: Report, options: SummaryOptions): string[] {
  const { status, changes, link, width, paint } = options;
  const [symbol, style] = lookOfTask(status);
  const facts: Row[] = [
    ...checkRows(report),
    ...fileRows(report, changes),
    { cells: ['  Cost', formatSpent(report)] },
    ...(report.work.length === 0 ? [] : [{ cells: ['  Undo', plainLine(formatUndo(changes))] }]),
    { cells: ['  Attempts', formatAttempts(report)] },
    ...(status.workspace === null ? [] : [{ cells: ['  Folder', plainLine(status.workspace)] }]),
    ...(link === null ? [] : [{ cells: ['  Web UI', link] }]),
  ];
  const [head = '', ...rest] = wrap(formatEnd(report, status), width - 2, clientLimits.cli.card.summary);
  return [
    '',
    `${paint(style, symbol)} ${paint('bold', head)}`,
    ...rest.map((line) => `  ${paint('bold', line)}`),
    ...workLines(report, { width, paint }),
    ...renderTable(facts, width, paint),
    ...renderTable(nextRows(report, changes), width, paint),
  ];
}

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function formatEnd({ startedAt, endedAt }: Report, { state, summary }: StatusView): string {
  const took = endedAt === null ? '' : ` in ${formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}`;
  return `${capital(state)}${took}: ${plainLine(summary)}`;
}

/** A command that has nothing to show is left out. */
function nextRows({ id, state }: Report, changes: TaskChanges | string): Row[] {
  const hasChanges = typeof changes === 'string' || changes.files.length > 0;
  const row = (command: string, about: string): Row => ({ cells: [`  heddle ${command} ${id}`, about] });
  return [
    ...(state === 'completed' ? [] : [row('retry', 'run again what is not done')]),
    ...(hasChanges ? [row('diff', 'see the changes'), row('undo', 'take them back')] : []),
    row('report', 'read every attempt, check and answer'),
  ];
}

function formatAttempts({ attempts }: Report): string {
  const parts = [
    String(attempts.total),
    ...(attempts.recovered > 0 ? [`${formatCount(attempts.recovered, 'subtask')} recovered`] : []),
    ...(attempts.escalated > 0 ? [formatCount(attempts.escalated, 'question')] : []),
    ...(attempts.reruns > 0 ? [`${formatCount(attempts.reruns, 'rerun')} after a crash`] : []),
  ];
  return parts.join(', ');
}
