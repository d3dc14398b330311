/**
 * Indents a new text as the file is indented: the indentation of each old line is replaced by that of its line in the file, and a deeper
 * line keeps the difference. If one indentation of the old lines has two in the file, the text stays as it is. Line breaks become `\n`.
 */
export function indentAs(text: string, old: readonly string[], file: readonly string[]): string {
  const plain = text.replace(/\r\n/g, '\n');
  const replacements = new Map<string, string>();
  for (const [index, line] of old.entries()) {
    if (line.trim() === '') continue;
    const [from, to] = [readIndent(line), readIndent(file[index] ?? '')];
    if ((replacements.get(from) ?? to) !== to) return plain;
    replacements.set(from, to);
  }
  const byLength = [...replacements].sort(([a], [b]) => b.length - a.length);
  return plain
    .split('\n')
    .map((line) => (line.trim() === '' ? line : indent(line, byLength)))
    .join('\n');
}

function indent(line: string, replacements: readonly (readonly [string, string])[]): string {
  const own = readIndent(line);
  const [from, to] = replacements.find(([one]) => own.startsWith(one)) ?? ['', ''];
  return to + line.slice(from.length);
}

const readIndent = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';
