import type { CalibrationBand } from '../../domain/report/judges.ts';
import type { Report } from '../../domain/report/report.ts';
import { formatCount } from '../../domain/text/text.ts';
import { table, type ReportTable } from './table.ts';
import * as words from './report-text.ts';

/** Votes of judges on results that had passed their checks. */
export function judgeTable({ judges, records }: Report): ReportTable {
  const rows = records.flatMap(({ subtask, attempt, judgement }) => {
    if (judgement === undefined) return [];
    const { outcome, confidence, reasonCode, severity, votes, contradictions } = judgement;
    return [
      [
        subtask,
        String(attempt),
        outcome,
        confidence.toFixed(2),
        reasonCode ?? '',
        severity ?? '',
        votes.map(({ lens, passed }) => `${lens}: ${passed === null ? 'unread' : passed ? 'yes' : 'no'}`).join(', '),
        String(contradictions),
      ],
    ];
  });
  const { contradictions } = judges;
  const note = contradictions === 0 ? '' : `The files contradicted a judge ${formatCount(contradictions, 'time')}.`;
  const head = ['Subtask', 'Attempt#', 'Outcome', 'Confidence#', 'Reason', 'Severity', 'Votes', 'Contradicted#'];
  return table('Judges', head, rows, note);
}

/** How people decided, by how sure the results were said to be. */
export function calibrationTable(bands: readonly CalibrationBand[]): ReportTable {
  const rows = bands.map(({ from, to, answers, approved, refused, byPolicy, approvedShare }) => [
    `${from} to ${to}`,
    words.formatNumber(answers),
    words.formatNumber(approved),
    words.formatNumber(refused),
    words.formatNumber(byPolicy),
    approvedShare === null ? '' : words.formatPercent(approvedShare),
  ]);
  const head = ['Confidence', 'Answers#', 'Accepted#', 'Not accepted#', 'By the policy#', 'Accepted by people#'];
  const note = 'Where the confidence is meaningful, people accept more of the results with a high one.';
  return table('Calibration', head, rows, note);
}
