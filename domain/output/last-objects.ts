/** Objects that are remembered: braces that are no JSON may stand behind the one that counts. */
const remembered = 8;

interface Span {
  from: number;
  to: number;
}

/**
 * The last objects in braces of a text, the last one first. Quotes count inside braces only. They are read in two ways: as ending with
 * their line at the latest, since prose around an object has loose ones, and as going over several lines, since notes do.
 */
export function findLastObjects(text: string): string[] {
  const spans = [...spansIn(text, 'of-one-line'), ...spansIn(text, 'of-many-lines')];
  const inOrder = spans.sort((a, b) => b.to - a.to || a.from - b.from);
  const isSame = (a: Span, b: Span | undefined): boolean => a.from === b?.from && a.to === b.to;
  return inOrder.filter((span, at) => !isSame(span, inOrder[at - 1])).map(({ from, to }) => text.slice(from, to));
}

/** In the order of the text, none inside another. One pass, so its time grows with the text alone. */
function spansIn(text: string, quotes: 'of-one-line' | 'of-many-lines'): Span[] {
  const open: number[] = [];
  const spans: Span[] = [];
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
