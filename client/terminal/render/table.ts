import type { Paint, StyleName } from '../text/paint.ts';
import { displayWidth, fit, pad } from '../text/terminal-text.ts';

export interface Row {
  cells: readonly string[];
  style?: StyleName;
}

const gap = '  ';

/** Columns as wide as their longest cell; the last one takes what room is left and is cut. */
export function renderTable(rows: readonly Row[], columns: number, paint: Paint): string[] {
  const widths = measureColumns(rows);
  return rows.map(({ cells, style }) => {
    const padded = cells.map((cell, index) => (index === cells.length - 1 ? cell : pad(cell, widths[index] ?? 0)));
    const line = fit(padded.join(gap).trimEnd(), columns);
    return style === undefined ? line : paint(style, line);
  });
}

function measureColumns(rows: readonly Row[]): number[] {
  const widths: number[] = [];
  for (const { cells } of rows) {
    cells.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell))));
  }
  return widths;
}
