import type { Report } from '../../domain/report/report.ts';
import { formatCount } from '../../domain/text/text.ts';
import { table, type ReportTable } from './table.ts';

/** Claims by quality, targets without enough records, and what became of quotes that were not in their source. */
export function evidenceTables({ evidence }: Report): ReportTable[] {
  if (evidence === undefined) return [];
  const { byQuality, missing, repaired, pruned, records } = evidence;
  const counts = Object.entries(byQuality).filter(([, count]) => count > 0);
  const rows = [
    ...missing.map(({ subtask, target, lacks }) => [
      subtask,
      'missing',
      target,
      `lacks ${formatCount(lacks, 'record')}`,
    ]),
    ...repaired.map(({ subtask, claim, by }) => [subtask, 'repaired', claim, `by ${by}`]),
    ...pruned.map(({ subtask, claim }) => [subtask, 'pruned', claim, 'its quote is not in the source']),
  ];
  return [
    table(
      'Evidence',
      ['Quality', 'Records#'],
      counts.map(([quality, count]) => [quality, String(count)]),
      `${formatCount(records, 'record')} in all.`,
    ),
    table('Evidence to look at', ['Subtask', 'State', 'Claim or target', 'Note'], rows),
  ];
}
