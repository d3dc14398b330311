import { formatDuration } from '../../../domain/text/duration.ts';
import type { Report } from '../../../domain/report/report.ts';
import { formatCount } from '../../../domain/text/text.ts';
import type { Paint } from '../text/paint.ts';
import { renderTable, type Row } from './table.ts';
import { lookOfTask } from './subtask-row.ts';
import type { StatusView } from '../../../domain/views/task-status.ts';
import { plainLine } from '../text/terminal-text.ts';

export interface SummaryOptions {
  status: StatusView;
  link: string | null;
  /** A line about files that an undo would not bring back. */
  uncovered?: string;
  paint: Paint;
}

/** The result of a task, in a few lines at its end. */
export function renderSummary(report: Report, { status, link, paint, uncovered }: SummaryOptions): string[] {
  const [symbol, style] = lookOfTask(status);
  const took =
    report.endedAt === null ? '' : ` in ${formatDuration(Date.parse(report.endedAt) - Date.parse(report.startedAt))}`;
  const rows: Row[] = [
    { cells: ['  Subtasks', formatSubtasks(report)] },
    { cells: ['  Attempts', formatAttempts(report)] },
    ...report.skipped.map(({ id, reason }, index): Row => ({
      cells: [index === 0 ? '  Skipped' : '', `${id}${reason === null ? '' : `: ${plainLine(reason)}`}`],
    })),
    ...(status.workspace === null ? [] : [{ cells: ['  Files', status.workspace] }]),
    ...(uncovered === undefined ? [] : [{ cells: ['  Undo', plainLine(uncovered)] }]),
    { cells: ['  Output', `heddle logs ${report.id}`] },
    { cells: ['  Report', `heddle report ${report.id}`] },
    ...(link === null ? [] : [{ cells: ['  Web UI', link] }]),
  ];
  const sentence = `${capital(status.state)}${took}: ${plainLine(status.summary)}`;
  return ['', `${paint(style, symbol)} ${paint('bold', sentence)}`, ...renderTable(rows, Infinity, paint)];
}

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function formatSubtasks({ subtasks }: Report): string {
  const parts = [
    `${subtasks.completed} of ${subtasks.total} completed`,
    ...(subtasks.unchecked > 0 ? [`${subtasks.unchecked} unchecked`] : []),
    ...(subtasks.failed > 0 ? [`${subtasks.failed} failed or blocked`] : []),
    ...(subtasks.skipped > 0 ? [`${subtasks.skipped} skipped`] : []),
  ];
  return parts.join(', ');
}

function formatAttempts({ attempts }: Report): string {
  const parts = [
    String(attempts.total),
    ...(attempts.recovered > 0 ? [`${formatCount(attempts.recovered, 'subtask')} recovered after a failure`] : []),
    ...(attempts.escalated > 0 ? [`${formatCount(attempts.escalated, 'question')} to a person`] : []),
    ...(attempts.reruns > 0 ? [`${formatCount(attempts.reruns, 'rerun')} after a crash`] : []),
  ];
  return parts.join(', ');
}
