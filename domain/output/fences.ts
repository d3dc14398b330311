import { outputLimits } from './limits.ts';

const fence = /```+[ \t]*(?:[\w+-]+(?=[\s{[]))?/g;
const closingLine = /^[ \t]*```/gm;

/** Returns the contents of the Markdown fences of a text, in order. The last fence may lack its end. */
export function fencedBodies(text: string): string[] {
  const bodies: string[] = [];
  let from = 0;
  while (bodies.length < outputLimits.candidates) {
    fence.lastIndex = from;
    const opening = fence.exec(text);
    if (opening === null) break;
    const start = opening.index + opening[0].length;
    const end = findClosing(text, start);
    bodies.push(text.slice(start, end).trim());
    if (end === undefined) break;
    from = end + 3;
  }
  return bodies.filter((body) => body !== '');
}

/** A fence on one line ends at the last ticks of that line; any other at the next line that begins with them. */
function findClosing(text: string, start: number): number | undefined {
  const lineEnd = text.indexOf('\n', start);
  const line = text.slice(start, lineEnd === -1 ? undefined : lineEnd);
  const inline = line.lastIndexOf('```');
  if (inline > 0) return start + inline;
  if (lineEnd === -1) return undefined;
  closingLine.lastIndex = lineEnd;
  const closing = closingLine.exec(text);
  return closing === null ? undefined : closing.index + closing[0].length - 3;
}
