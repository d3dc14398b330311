import { countByQuality } from '../../domain/evidence/count-evidence.ts';
import { formatSource } from '../../domain/evidence/ledger-csv.ts';
import { formatCount, oneLine } from '../../domain/text/text.ts';
import type { EvidenceRecord } from '../../domain/types/basic/evidence.ts';
import type { TaskEvidence } from './load-evidence.ts';

/** The records of a task for people: one line each, with its support below it. */
export function formatEvidence({ records, missing }: TaskEvidence): string[] {
  return [
    ...records.flatMap(formatRecord),
    ...(records.length === 0 ? [] : ['', countLine(records)]),
    ...formatMissing(missing),
  ];
}

export const formatMissing = (missing: TaskEvidence['missing']): string[] =>
  missing.map(
    ({ subtask, target, lacks, by }) =>
      `missing  ${oneLine(subtask)}: ${oneLine(target)} (${by === 'judge' ? 'a judge asks for it' : `lacks ${formatCount(lacks, 'record')}`})`,
  );

function formatRecord({ id, claim, quality, source, quote, target, quoteFound, repairedBy }: EvidenceRecord): string[] {
  const at = oneLine(formatSource(source));
  const about = [
    ...(at === '' ? [] : [`source: ${at}`]),
    ...(target === undefined ? [] : [`target: ${oneLine(target)}`]),
    ...(quoteFound === false ? ['its quote is not in the source'] : []),
    ...(repairedBy === undefined ? [] : [`repaired by ${repairedBy}`]),
  ];
  return [
    `${quality}  [${oneLine(id)}] ${oneLine(claim)}`,
    ...(about.length === 0 ? [] : [`    ${about.join('; ')}`]),
    ...(quote === undefined ? [] : [`    "${oneLine(quote)}"`]),
  ];
}

function countLine(records: readonly EvidenceRecord[]): string {
  const counts = Object.entries(countByQuality(records)).filter(([, count]) => count > 0);
  return `${formatCount(records.length, 'record')}: ${counts.map(([quality, count]) => `${count} ${quality}`).join(', ')}`;
}
