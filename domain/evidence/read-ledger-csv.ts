import type { EvidenceQuality, EvidenceRecord, EvidenceSource } from '../types/basic/evidence.ts';
import { csvColumns } from './ledger-csv.ts';
import { parseSource } from './parse-source.ts';

const qualities: readonly EvidenceQuality[] = ['confirmed', 'sourced', 'claimed', 'not-found', 'disputed', 'pruned'];

/** Reads the rows of a ledger whose JSON is gone; undefined for a file that is no ledger. */
export function readLedgerCsv(text: string): EvidenceRecord[] | undefined {
  const [head, ...rows] = parseRows(text.replace(/^\ufeff/u, ''));
  if (head?.join(',') !== csvColumns.join(',')) return undefined;
  const records = rows.map(readRow);
  return records.every((record) => record !== undefined) ? records : undefined;
}

function readRow(cells: readonly string[]): EvidenceRecord | undefined {
  if (cells.length !== csvColumns.length) return undefined;
  const [id = '', claim = '', source = '', quote = '', target = '', grade = '', subtask = '', task = '', at = ''] =
    cells.map(withoutGuard);
  const quality = qualities.find((each) => each === grade);
  if (quality === undefined) return undefined;
  return {
    ...{ id, claim },
    ...(target === '' ? {} : { target }),
    ...(quote === '' ? {} : { quote }),
    ...{ source: readSource(source), quality, by: 'program', subtask, attempt: 0, task, at },
  };
}

function readSource(text: string): EvidenceSource {
  const named = parseSource(text);
  return 'at' in named ? named : { kind: 'other', at: text };
}

/** The quote that keeps a spreadsheet from taking a cell for a formula. */
const withoutGuard = (cell: string): string => (/^'[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(cell) ? cell.slice(1) : cell);

/** Rows of RFC 4180. A quote that does not end makes the rest of the text one cell. */
function parseRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [whole, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gu)) {
    if (whole === '' && row.length === 0) break;
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
