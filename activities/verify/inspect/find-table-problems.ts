import { parse } from 'csv-parse/sync';
import { activityLimits } from '../../limits/activity-limits.ts';

/** Records whose number of fields differs from the first one's, and a quote that never closes. */
export function findTableProblems(text: string, kind: 'csv' | 'tsv'): string[] {
  const problems: string[] = [];
  let width: number | undefined;
  parse(text, {
    bom: true,
    delimiter: kind === 'tsv' ? '\t' : findDelimiter(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // Nothing is kept: only the widths matter.
    on_record: (record: string[], { lines }) => {
      width ??= record.length;
      if (record.length !== width && problems.length < activityLimits.findingsPerFile) {
        problems.push(`line ${lines}: ${fields(record.length)} where the first record has ${width}`);
      }
      return null;
    },
  });
  return problems;
}

/** A comma, unless the first line has none: spreadsheets of half the world export semicolons. */
function findDelimiter(text: string): string {
  const first = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  return [',', ';', '\t', '|'].find((mark) => first.includes(mark)) ?? ',';
}

function fields(count: number): string {
  return count === 1 ? '1 field' : `${count} fields`;
}
