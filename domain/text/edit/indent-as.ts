/**
 * A new text, indented as the file indents: what the old lines had at their beginnings becomes what the lines of the file have there. A
 * deeper line keeps what it has more. Where one indentation of the old lines is two in the file, nobody knows, and the text stays.
 * Line ends become `\n`.
 */
export function indentAs(text: string, old: readonly string[], file: readonly string[]): string {
  const plain = text.replace(/\r\n/g, '\n');
  const known = new Map<string, string>();
  for (const [index, line] of old.entries()) {
    if (line.trim() === '') continue;
    const [from, to] = [indentOf(line), indentOf(file[index] ?? '')];
    if ((known.get(from) ?? to) !== to) return plain;
    known.set(from, to);
  }
  const byLength = [...known].sort(([a], [b]) => b.length - a.length);
  return plain
    .split('\n')
    .map((line) => (line.trim() === '' ? line : indent(line, byLength)))
    .join('\n');
}

function indent(line: string, known: readonly (readonly [string, string])[]): string {
  const own = indentOf(line);
  const [from, to] = known.find(([one]) => own.startsWith(one)) ?? ['', ''];
  return to + line.slice(from.length);
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
