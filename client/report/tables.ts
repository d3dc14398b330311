import { formatDuration } from '../../domain/text/duration.ts';
import { attemptsBySubtask } from '../../domain/report/attempts.ts';
import type { Report } from '../../domain/report/report.ts';
import type { SubtaskView } from '../../domain/views/task-status.ts';
import { agentTables } from './agent-tables.ts';
import { judgeTable } from './judge-tables.ts';
import { evidenceTables } from './evidence-tables.ts';
import { budgetTable } from './summary.ts';
import { rungRows, table, tallyRows, type ReportTable } from './table.ts';
import * as words from './report-text.ts';

/** Everything a report shows as rows; tables with no row are left out. */
export function reportTables(report: Report, subtasks: readonly SubtaskView[]): ReportTable[] {
  const tables = [
    subtaskTable(report, subtasks),
    ...endTables(report),
    tallyTable('Failures by type', 'Type', tallyRows(report.failuresByType)),
    tallyTable('Recovery by rung', 'Rung', rungRows(report.recoveryByRung)),
    patternTable(report),
    recoveredTable(report),
    judgeTable(report),
    ...evidenceTables(report),
    ...agentTables(report),
    decisionTable(report),
    ...interruptionTables(report),
    table('Reused', ['Subtask', 'From the task'], reusedRows(report)),
    budgetTable(report),
    table(
      'What else happened',
      ['When', 'Event', 'Message'],
      report.journal.map(({ at, type, text }) => [words.formatTime(at), type, text]),
    ),
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

function subtaskTable(report: Report, subtasks: readonly SubtaskView[]): ReportTable {
  const groups = attemptsBySubtask(report.records);
  const resultOf = words.resultFormatter(report);
  const rows = subtasks.map((subtask) => {
    const own = groups.get(subtask.id) ?? [];
    const failed = own.findLast(({ outcome }) => outcome === 'failed');
    const remark = subtask.reason ?? (failed === undefined ? '' : `Last failure: ${failed.summary}`);
    const rung = own.length === 0 ? '' : String(subtask.rung);
    const tier = own.length === 0 ? '' : String(subtask.tier);
    const took = words.formatTook(subtask.startedAt, subtask.endedAt);
    return [subtask.id, resultOf(subtask), String(own.length), rung, tier, took, remark];
  });
  return table('Subtasks', ['Subtask', 'Result', 'Attempts#', 'Rung#', 'Tier#', 'Time#', 'Note'], rows);
}

function endTables({ failed, blocked, skipped }: Report): ReportTable[] {
  const later = blocked.filter(({ state }) => state !== 'failed');
  const done = [
    ...failed.map(({ id, reason }) => [id, 'failed', reason ?? '']),
    ...later.map(({ id, state, reason }) => [id, formatBlocked(state), reason ?? '']),
  ];
  return [
    table('Failed and blocked', ['Subtask', 'State', 'Reason'], done),
    table(
      'Skipped',
      ['Subtask', 'Reason', 'Impact', 'When'],
      skipped.map((one) => [one.id, one.reason ?? '', words.formatImpact(one), words.formatTime(one.at)]),
    ),
  ];
}

/** Some said that they were blocked, and an answer helped. */
const formatBlocked = (state: string): string =>
  state === 'blocked' ? state : `was blocked, now ${state === 'skipped' ? 'skipped' : state}`;

/** The page draws these. */
function tallyTable(title: string, name: string, counts: readonly [string, number][]): ReportTable {
  const rows = counts.map(([key, count]) => [key, String(count)]);
  return { ...table(title, [name, 'Count#'], rows), drawn: true };
}

function patternTable({ failuresBySignature }: Report): ReportTable {
  const rows = Object.entries(failuresBySignature).map(([signature, pattern]) => [
    signature,
    pattern.type,
    String(pattern.count),
    words.formatNames(pattern.subtasks),
    words.formatFix(pattern),
    pattern.summary,
  ]);
  const head = ['Signature', 'Type', 'Count#', 'Subtasks', 'What fixed it', 'Message'];
  return table('Common failure patterns', head, rows);
}

function recoveredTable({ recovered }: Report): ReportTable {
  const rows = recovered.map(({ id, attempts, rung, tier, usd, tokens, signatures }) => [
    id,
    String(attempts),
    String(rung),
    String(tier),
    words.formatUsd(usd),
    words.formatNumber(tokens),
    words.formatNames(signatures),
  ]);
  const head = ['Subtask', 'Attempts#', 'Rung#', 'Tier#', 'Cost#', 'Tokens#', 'Recovered from'];
  return table('Recovered subtasks', head, rows, 'Cost and tokens of all attempts of the subtask.');
}

function decisionTable({ decisions, endedAt }: Report): ReportTable {
  const unanswered = endedAt === null ? 'open' : 'not answered';
  const rows = decisions.map((decision) => [
    decision.id,
    decision.kind,
    words.formatAnswer(decision) ?? unanswered,
    words.formatWho(decision),
    words.formatTime(decision.at),
    words.formatTook(decision.openedAt, decision.at),
    decision.problem,
  ]);
  return table('Decisions', ['Decision', 'Kind', 'Answer', 'By', 'When', 'Waited#', 'Question'], rows);
}

function interruptionTables({ reruns, waits }: Report): ReportTable[] {
  return [
    table(
      'Run again after a crash',
      ['Subtask', 'Attempt#', 'Reruns#'],
      reruns.map(({ subtask, attempt, count }) => [subtask, String(attempt), String(count)]),
      'The same attempt with the same key; it counts once.',
    ),
    table(
      'Waits for the environment',
      ['Subtask', 'Attempt#', 'When', 'Waited#', 'Reason'],
      waits.map(({ subtask, attempt, at, ms, reason }) => [
        subtask,
        String(attempt),
        words.formatTime(at),
        formatDuration(ms),
        reason,
      ]),
      'They do not count as attempts.',
    ),
  ];
}

const reusedRows = ({ reused }: Report): string[][] => reused.map(({ id, from }) => [id, from ?? 'not known']);
