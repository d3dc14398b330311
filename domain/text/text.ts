/** Cuts a text between characters and marks the cut. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  if (most <= 0) return '';
  const end = most - 1;
  const high = text.charCodeAt(end - 1);
  return `${text.slice(0, high >= 0xd800 && high <= 0xdbff ? end - 1 : end)}…`;
}

/** Keeps the end of a text, cut the same way, because errors are at the end of an output. */
export function clipStart(text: string, most: number): string {
  if (text.length <= most) return text;
  if (most <= 0) return '';
  const start = text.length - most + 1;
  const low = text.charCodeAt(start);
  return `…${text.slice(low >= 0xdc00 && low <= 0xdfff ? start + 1 : start)}`;
}

/** Terminal escape sequences. Each match ends at the next escape character, so the search is linear. */
const terminalOrders = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*\u0007?|[@-Z\\^_])/g;

export function withoutColours(text: string): string {
  return text.includes('\u001b') ? text.replace(terminalOrders, '') : text;
}

/** A text that is not on one line yet; most texts are. */
const unfolded = / {2}|[^\S ]|[\u0000-\u001f\u007f-\u009f]/;

/** One line, single spaces, nothing that a terminal would obey. */
export function oneLine(text: string): string {
  const plain = withoutColours(text);
  return (unfolded.test(plain) ? plain.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ') : plain).trim();
}

/** A progress bar overwrites its line with `\r`: each of its states counts as a line, so that the lines after it are kept. */
export function lastLines(text: string, count: number): string {
  return text
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .join('\n');
}

/** `a`, `a and b`, `a, b and c`; long lists end in a count. */
export function formatList(items: readonly string[], most = 5): string {
  if (items.length === 0) return 'nothing';
  if (items.length > most) return `${items.slice(0, most).join(', ')} and ${items.length - most} more`;
  if (items.length === 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}

export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Escapes XML text and attribute values. Control characters that XML forbids are dropped. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** Escapes for XML, then cuts, so that the limit holds for the written text; an entity is never cut. */
export function clipXml(text: string, most: number): string {
  const escaped = escapeXml(text);
  return escaped.length <= most ? escaped : clip(escaped, most).replace(/&[a-z]{0,4}…$/, '…');
}

/** Keeps the end of a text, escaped and cut the same way. */
export function clipXmlStart(text: string, most: number): string {
  const escaped = escapeXml(text);
  const kept = clipStart(escaped, most);
  if (kept === escaped) return kept;
  const start = escaped.length - kept.length + 1;
  const cut = escaped.lastIndexOf('&', start - 1);
  const inside = cut !== -1 && !escaped.slice(cut, start).includes(';');
  return inside ? `…${kept.slice(kept.indexOf(';') + 1)}` : kept;
}

/** Counts the bytes of a text as UTF-8; a lone surrogate becomes the three bytes of the replacement character. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    bytes += code < 0x800 ? 1 : 2;
    // Both halves of a surrogate pair: four bytes for two units.
    if (isHigh(code) && isLow(text.charCodeAt(index + 1))) index += 1;
  }
  return bytes;
}

/** Decides if a text has at most so many bytes as UTF-8. No unit has more than three, so most texts need no count. */
export const fitsBytes = (text: string, most: number): boolean =>
  text.length <= most && (text.length * 3 <= most || utf8Length(text) <= most);

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Escapes text for Markdown in the Web UI: no HTML, no emphasis, no table cells. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/([\\`*_[\]|#~])/g, '\\$1');
}

/** Stack frames on lines of their own, as Node and Python print them. */
const stackLine =
  /^\s*(?:at \S.*(?::\d+\)|:\d+:\d+\)?|\(<anonymous>\)|\(native\))|File ".*", line \d.*|Traceback .*|[~^]+)\s*$/;

/** Frames of a stack that was joined to one line. */
const foldedFrame = / at (?:async )?(?:[^\s()]{1,200} )?\(?[^\s()]{1,500}:\d+:\d+\)?/g;

/** A path from the root. A relative path or the path of a URL has text before its first slash. */
const absolutePath =
  /(?<![\p{L}\p{N}_.@~+\-\\/])(?:[A-Za-z]:)?[\\/](?:[\p{L}\p{N}_.@~+-]+[\\/])*([\p{L}\p{N}_.@~+-]+)/gu;

export function withoutStack(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .filter((line) => !stackLine.test(line))
    .join('\n');
}

/** Rewords text for people who are not engineers: absolute paths become names, stack lines and terminal colours are dropped. */
export function plainEnglish(text: string): string {
  const words = withoutStack(withoutColours(text))
    .replace(/\n/g, ' ')
    .replace(/`/g, '')
    .replace(foldedFrame, '')
    .replace(/\bfile:\/\//g, '')
    .replace(absolutePath, '$1');
  return oneLine(words);
}
