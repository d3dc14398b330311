import type { EvidenceRecord } from '../types/basic/evidence.ts';

export const csvColumns = [
  'id',
  'claim',
  'source',
  'quote',
  'target',
  'quality',
  'subtask',
  'task',
  'recorded',
] as const;

/** Characters that are not seen: a spreadsheet drops some of them before it looks for a formula. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufe00-\ufe0f]/gu;

/** The characters that begin a formula, with their full-width forms. */
const formula = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

/** Formats records as RFC 4180: every cell quoted, none a formula. */
export const formatCsv = (records: readonly EvidenceRecord[]): string =>
  [[...csvColumns], ...records.map(listCells)].map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');

const listCells = ({
  id,
  claim,
  source,
  quote = '',
  target = '',
  quality,
  subtask,
  task,
  at,
}: EvidenceRecord): string[] => [...[id, claim, formatSource(source), quote, target, quality, subtask, task, at]];

/** A source as a record names it. */
export const formatSource = ({ kind, at }: EvidenceRecord['source']): string => (kind === 'git' ? `git:${at}` : at);

function formatCell(text: string): string {
  const plain = text.replace(/\s+/gu, ' ').replace(unseen, '').replace(/ +/gu, ' ').trim();
  const safe = formula.test(plain) ? `'${plain}` : plain;
  return `"${safe.replaceAll('"', '""')}"`;
}
