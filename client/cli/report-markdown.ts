import { sayDuration } from '../../domain/duration.ts';
import type { AttemptRecord } from '../../domain/failure.ts';
import type { Report } from '../../domain/report.ts';
import type { SubtaskView } from '../../domain/status.ts';
import { escapeMarkdown, sayCount } from '../../domain/text.ts';

/** The report as a document that stands on its own. Texts of programs and people are escaped: they are data. */
export function reportMarkdown(report: Report, subtasks: readonly SubtaskView[]): string {
  const sections = [
    [
      `# ${escapeMarkdown(report.goal)}`,
      `Task \`${report.id}\` — **${report.state}**: ${escapeMarkdown(report.summary)}`,
    ],
    ['## Figures', figures(report)],
    subtasks.length === 0 ? [] : ['## Subtasks', subtaskTable(subtasks, report.records)],
    section('## Failures by type', ['Type', 'Count'], counts(report.failuresByType)),
    section('## Common failures', ['Signature', 'Type', 'Count', 'Says'], patterns(report)),
    section('## Recovered, by rung', ['Rung', 'Subtasks'], counts(report.recoveryByRung)),
    section('## Decisions', ['Decision', 'Kind', 'Answer', 'By', 'When'], decisions(report)),
    listed(
      '## Left out',
      report.skipped.map(({ id, reason }) => `${id}${reason === null ? '' : `: ${reason}`}`),
    ),
    section('## Run again after a crash', ['Subtask', 'Attempt', 'Reruns'], reruns(report)),
    listed('## Files changed', report.files),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n\n'))
    .join('\n\n');
}

function figures({ startedAt, endedAt, subtasks, attempts, cost }: Report): string {
  const took = endedAt === null ? 'not ended' : sayDuration(Date.parse(endedAt) - Date.parse(startedAt));
  const lines = [
    `Started ${startedAt}, ${endedAt === null ? took : `ended ${endedAt} (${took})`}`,
    `${sayCount(subtasks.total, 'subtask')}: ${subtasks.completed} completed, ${subtasks.failed} failed or blocked, ${subtasks.skipped} left out`,
    `${sayCount(attempts.total, 'attempt')}: ${Math.round(attempts.firstTryRate * 100)} % passed at the first try, ${attempts.recovered} recovered, ${attempts.escalated} asked a person, ${sayCount(attempts.reruns, 'rerun')} after a crash`,
    `Cost: ${cost.usd.toFixed(2)} USD, ${sayCount(cost.tokens, 'token')}${cost.usdPerRecovered === null ? '' : `; ${cost.usdPerRecovered.toFixed(2)} USD per recovered subtask`}`,
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

function subtaskTable(subtasks: readonly SubtaskView[], records: readonly AttemptRecord[]): string {
  const rows = subtasks.map((subtask) => {
    const own = records.filter((record) => record.subtask === subtask.id);
    const failed = own.findLast(({ outcome }) => outcome === 'failed');
    const { startedAt, endedAt, verdict, state, rung, tier } = subtask;
    const took = startedAt === null || endedAt === null ? '' : sayDuration(Date.parse(endedAt) - Date.parse(startedAt));
    const how = verdict === null || verdict === 'pass' ? state : `${state} (${verdict})`;
    const remark = subtask.reason ?? (failed === undefined ? '' : `last failure: ${failed.summary}`);
    return [subtask.id, how, String(own.length), String(rung), String(tier), took, remark];
  });
  return table(['Subtask', 'State', 'Attempts', 'Rung', 'Tier', 'Time', 'Remark'], rows);
}

const counts = (tally: Record<string, number>): string[][] =>
  Object.entries(tally)
    .sort(([, a], [, b]) => b - a)
    .map(([key, count]) => [key, String(count)]);

const patterns = ({ failuresBySignature }: Report): string[][] =>
  Object.entries(failuresBySignature)
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([signature, { type, count, summary }]) => [signature, type, String(count), summary]);

const decisions = (report: Report): string[][] =>
  report.decisions.map(({ id, kind, option, by, at }) => [id, kind, option ?? 'open', by ?? '', at ?? '']);

const reruns = ({ records }: Report): string[][] =>
  records
    .filter((record) => record.reruns > 0)
    .map(({ subtask, attempt, reruns: count }) => [subtask, String(attempt), String(count)]);

const section = (title: string, head: readonly string[], rows: readonly string[][]): string[] =>
  rows.length === 0 ? [] : [title, table(head, rows)];

const listed = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [title, items.map((item) => `- ${escapeMarkdown(item)}`).join('\n')];

function table(head: readonly string[], rows: readonly string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(escapeMarkdown))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
