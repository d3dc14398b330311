import type { Report } from '../../domain/report/report.ts';
import type { SubtaskWork } from '../../domain/report/work.ts';
import { formatCount } from '../../domain/text/text.ts';
import { table, type ReportTable } from './table.ts';
import type { TaskChanges } from './task-changes.ts';
import * as words from './report-text.ts';

/** The first tables of a report: the work, its checks, the changed files, the cost, and the next commands. */
export function workTables(report: Report, changes: TaskChanges | string): ReportTable[] {
  const done = report.work.map((work) => [work.id, formatWork(report, work)]);
  const checks = report.work.flatMap(({ id, checks: own }) =>
    own.map(({ name, passed, summary }) => [id, name, passed ? 'passed' : 'failed', passed ? '' : summary]),
  );
  return [
    table('What was done', ['Subtask', 'Report'], done),
    table('Checks', ['Subtask', 'Check', 'Result', 'Output'], checks),
    fileTable(report, changes),
    table('What it took, and what comes next', ['What', 'Value'], nextRows(report, changes)),
  ].filter(({ rows }) => rows.length > 0);
}

/** A subtask's own words; where it gave none, the files that its last attempt changed. */
export function formatWork({ records }: Report, { id, notes, reason, state }: SubtaskWork): string {
  if (state !== 'completed') return reason === null ? state : `${state}: ${reason}`;
  if (notes !== '') return notes;
  const last = records.findLast(({ subtask }) => subtask === id);
  const files = last?.filesAffected.filter((file) => file.state !== 'unchanged' && file.state !== 'missing') ?? [];
  return files.length === 0 ? 'No report of its own.' : `Changed ${words.formatNames(files.map(({ path }) => path))}.`;
}

function fileTable(report: Report, changes: TaskChanges | string): ReportTable {
  if (typeof changes === 'string') {
    const rows = report.files.map((path) => [path, '', '', '']);
    return table('Files changed', ['File', 'State', 'Added#', 'Removed#'], rows, `No line counts: ${changes}.`);
  }
  const rows = changes.files.map(({ path, state, binary, added, removed }) => [
    path,
    binary ? `${state}, binary` : state,
    binary ? '' : `+${added}`,
    binary ? '' : `-${removed}`,
  ]);
  return table('Files changed', ['File', 'State', 'Added#', 'Removed#'], rows);
}

function nextRows(report: Report, changes: TaskChanges | string): string[][] {
  const { id } = report;
  const isRetried = report.state === 'failed' || report.state === 'cancelled';
  return [
    ['Cost', formatSpent(report)],
    ...(report.work.length === 0 ? [] : [['Undo', formatUndo(changes)]]),
    ...(isRetried ? [['Run the rest again', `heddle retry ${id}`]] : []),
    ['See the changes', `heddle diff ${id}`],
    ...(report.endedAt === null ? [] : [['Take the changes back', `heddle undo ${id}`]]),
    ['See this report again', `heddle report ${id}`],
  ];
}

/** The cost and the tokens of a task. */
export function formatSpent({ cost }: Report): string {
  if (cost.usd === 0 && cost.tokens === 0) return 'none';
  return `${words.formatTotal(cost)}, ${words.formatNumber(cost.tokens)} tokens`;
}

/** How far `heddle undo` reaches. Snapshots hold no repository, and nothing outside the folder. */
export function formatUndo(changes: TaskChanges | string): string {
  if (typeof changes === 'string') return `not from here: ${changes}`;
  const { files, uncovered } = changes;
  const not = uncovered.length === 0 ? '' : `, but not ${words.formatNames(uncovered)}`;
  if (files.length === 0) return `nothing to restore${not}; commits and anything outside the folder stay`;
  return `restores ${formatCount(files.length, 'file')}${not}; commits and anything outside the folder stay`;
}
