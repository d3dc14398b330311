/** A row of a table of Markdown. */
export const formatRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')).join(' | ')} |`;

/** The line below the first row. */
export const formatRule = (cells: readonly string[]): string => `|${' --- |'.repeat(cells.length)}`;
