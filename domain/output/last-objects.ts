/** Objects that are kept: braces that are no JSON may follow the object that counts. */
const remembered = 8;

interface ObjectSpan {
  from: number;
  to: number;
}

/**
 * Returns the last objects in braces of a text, the last one first. Quotes count inside braces only. They are read in two ways: as ending
 * with their line, since prose around an object has unpaired quotes, and as spanning several lines, since notes do.
 */
export function findLastObjects(text: string): string[] {
  const spans = [...findSpans(text, 'of-one-line'), ...findSpans(text, 'of-many-lines')];
  const inOrder = spans.sort((a, b) => b.to - a.to || a.from - b.from);
  const isSame = (a: ObjectSpan, b: ObjectSpan | undefined): boolean => a.from === b?.from && a.to === b.to;
  return inOrder.filter((span, at) => !isSame(span, inOrder[at - 1])).map(({ from, to }) => text.slice(from, to));
}

/** Finds spans in the order of the text, none inside another. One pass, so its time grows with the text alone. */
function findSpans(text: string, quotes: 'of-one-line' | 'of-many-lines'): ObjectSpan[] {
  const open: number[] = [];
  const spans: ObjectSpan[] = [];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted && letter === '\\') at += 1;
    else if (letter === '"') quoted = !quoted && open.length > 0;
    else if (letter === '\n' && quotes === 'of-one-line') quoted = false;
    else if (quoted) continue;
    else if (letter === '{') open.push(at);
    else if (letter === '}') close(open.pop(), at + 1);
  }
  return spans;

  function close(from: number | undefined, to: number): void {
    if (from === undefined) return;
    while ((spans.at(-1)?.from ?? -1) > from) spans.pop();
    spans.push({ from, to });
    if (spans.length > remembered) spans.shift();
  }
}
