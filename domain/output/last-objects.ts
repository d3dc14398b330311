/** Objects that are remembered: braces that are no JSON may stand behind the one that counts. */
const remembered = 8;

/**
 * The last objects in braces of a text, the last one first, none inside another. One pass, so its time grows with the text alone. Quotes
 * count inside braces only, and end with their line at the latest: prose around an object has loose ones.
 */
export function findLastObjects(text: string): string[] {
  const open: number[] = [];
  const spans: { from: number; to: number }[] = [];
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted && letter === '\\') at += 1;
    else if (letter === '"') quoted = !quoted && open.length > 0;
    else if (letter === '\n') quoted = false;
    else if (quoted) continue;
    else if (letter === '{') open.push(at);
    else if (letter === '}') close(open.pop(), at + 1);
  }
  return spans.map(({ from, to }) => text.slice(from, to)).reverse();

  function close(from: number | undefined, to: number): void {
    if (from === undefined) return;
    while ((spans.at(-1)?.from ?? -1) > from) spans.pop();
    spans.push({ from, to });
    if (spans.length > remembered) spans.shift();
  }
}
