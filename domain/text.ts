/** Cuts at a character, never inside one, and shows that it cut. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = most - 1;
  const high = text.charCodeAt(end - 1);
  return `${text.slice(0, high >= 0xd800 && high <= 0xdbff ? end - 1 : end)}…`;
}

/** The end of a text, cut the same way: errors stand at the end of an output. */
export function clipStart(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.length - most + 1;
  const low = text.charCodeAt(start);
  return `…${text.slice(low >= 0xdc00 && low <= 0xdfff ? start + 1 : start)}`;
}

/** One line, single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function lastLines(text: string, count: number): string {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .join('\n');
}

/** `a`, `a and b`, `a, b and c`; long lists end in a count. */
export function sayList(items: readonly string[], most = 5): string {
  if (items.length === 0) return 'nothing';
  if (items.length > most) return `${items.slice(0, most).join(', ')} and ${items.length - most} more`;
  if (items.length === 1) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`;
}

export function sayCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** For XML text and attribute values. Control characters that XML forbids are dropped. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** For Markdown that the Web UI renders: no HTML, no emphasis, no table cells from somebody's text. */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/([\\`*_[\]|#~])/g, '\\$1');
}

/** For people who are not engineers: absolute paths become names, stack lines and terminal colours go. */
export function plainEnglish(text: string): string {
  const withoutStack = text
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .split(/\r?\n/)
    .filter((line) => !/^\s*(at .+[:(]\d*|File ".+", line \d+.*|Traceback .*|\^+)\s*$/.test(line))
    .join(' ');
  return oneLine(withoutStack.replace(/(?:[A-Za-z]:)?[\\/](?:[\w.@~+-]+[\\/])*([\w.@~+-]+)/g, '$1').replace(/`/g, ''));
}
