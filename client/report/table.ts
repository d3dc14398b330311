import { clientLimits } from '../limits/client-limits.ts';

/** A table of plain texts: its renderer escapes them. */
export interface ReportTable {
  title: string;
  /** A name that ends in `#` is that of a column of figures. */
  head: readonly string[];
  rows: readonly string[][];
  /** A note on the table's subject, or on what is not in it. */
  note: string;
  /** True where the page has a chart of it. */
  drawn: boolean;
}

export const isFigures = (head: string): boolean => head.endsWith('#');

export const headName = (head: string): string => head.replace(/#$/, '');

/** No table is longer than a person reads. */
export function table(title: string, head: readonly string[], rows: readonly string[][], note = ''): ReportTable {
  const most = clientLimits.report.tableRows;
  const cut = rows.length > most ? `The first ${most} of ${rows.length}; heddle report --json has all.` : '';
  const notes = [note, cut].filter((text) => text !== '');
  return { title, head, rows: rows.slice(0, most), note: notes.join(' '), drawn: false };
}

/** The most frequent first. */
export const tallyRows = (tally: Record<string, number>): [name: string, count: number][] =>
  Object.entries(tally).sort(([, a], [, b]) => b - a);

/** From the foot of the ladder up. */
export const rungRows = (tally: Record<string, number>): [rung: string, count: number][] =>
  Object.entries(tally).sort(([a], [b]) => Number(a) - Number(b));
