/** Some lines of a text, and the number of all lines. A line break at the end does not begin another line. */
export interface PickedLines {
  lines: string[];
  total: number;
}

/** Returns lines starting at `from`, counted from 1. Only the requested part of a large text is copied. */
export function pickLines(text: string, { from, lines: most }: { from: number; lines: number }): PickedLines {
  const lines: string[] = [];
  let total = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    total += 1;
    if (total >= from && lines.length < most) {
      const hasReturn = newline > start && text[newline - 1] === '\r';
      lines.push(text.slice(start, hasReturn ? end - 1 : end));
    }
    start = end + 1;
  }
  return { lines, total };
}
