/** Lines of a text, and how many it has. The end of the last line begins no other one. */
export interface Picked {
  lines: string[];
  total: number;
}

/** `lines` of them from the line `from` on, counted from 1. Of megabytes only what is asked for is cut out. */
export function pickLines(text: string, { from, lines: most }: { from: number; lines: number }): Picked {
  const lines: string[] = [];
  let total = 0;
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    total += 1;
    if (total >= from && lines.length < most) {
      const hasReturn = found > start && text[found - 1] === '\r';
      lines.push(text.slice(start, hasReturn ? end - 1 : end));
    }
    start = end + 1;
  }
  return { lines, total };
}
