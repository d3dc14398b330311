import type { Report } from '../../domain/report/report.ts';
import type { SubtaskView } from '../../domain/views/task-status.ts';
import { escapeMarkdown } from '../../domain/text/text.ts';
import { formatSpan, summaryTable } from './summary.ts';
import { headName, isFigures, type ReportTable } from './table.ts';
import type { Uncovered } from '../workspace/uncovered.ts';
import { reportTables } from './tables.ts';

/** The report as a document that stands on its own. Texts of programs and people are escaped: they are data. */
export function reportMarkdown(report: Report, subtasks: readonly SubtaskView[], uncovered?: Uncovered): string {
  const head = [
    `# ${escapeMarkdown(report.goal)}`,
    `Task \`${report.id}\` — **${report.state}**: ${escapeMarkdown(report.summary)}`,
    formatSpan(report),
  ];
  const tables = [summaryTable(report), ...reportTables(report, subtasks, uncovered)];
  return [...head, ...tables.map(section)].join('\n\n');
}

export function section({ title, head, rows, note }: ReportTable): string {
  const lines = [
    head.map(headName),
    head.map((name) => (isFigures(name) ? '---:' : '---')),
    ...rows.map((row) => row.map(escapeMarkdown)),
  ];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return [`## ${title}`, ...(note === '' ? [] : [note]), table].join('\n\n');
}
