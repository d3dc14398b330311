/** A heading is short: longer lines are prose, and skipping them keeps the search linear. */
const longestHeading = 300;
const trailing = new Set(' \t:.;,!?…：。！？、');

/**
 * Names that no text has: as a Markdown heading of any level, ATX or setext, or as a line of its own.
 * Case, markup, numbering and trailing punctuation do not count.
 */
export function findMissingSections(names: readonly string[], texts: Iterable<string>): string[] {
  const missing = new Map(names.map((name) => [name, normalizeHeading(name)]));
  const longest = Math.max(0, ...names.map((name) => name.length)) + longestHeading;
  for (const text of texts) {
    const keys = findKeys(text, new Set(missing.values()), longest);
    for (const [name, key] of missing) if (keys.has(key)) missing.delete(name);
    if (missing.size === 0) break;
  }
  return [...missing.keys()];
}

/** A setext title is a line of its own, so one pass over lines finds all forms. */
function findKeys(text: string, sectionKeys: ReadonlySet<string>, longest: number): Set<string> {
  const keys = new Set<string>();
  let fence: string | undefined;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.length > longest) continue;
    if (fence !== undefined) {
      if (closes(fence, line.trim())) fence = undefined;
      continue;
    }
    fence = codeFence(line);
    const key = normalizeHeading(line);
    if (sectionKeys.has(key)) keys.add(key);
  }
  return keys;
}

/** The closing mark of a code block. A block of Markdown does not count as code: models wrap whole documents in one. */
function codeFence(line: string): string | undefined {
  const match = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]+)/.exec(line);
  return match === null || /^(?:markdown|md|text)$/i.test(match[2] ?? '') ? undefined : match[1];
}

function closes(fence: string, line: string): boolean {
  return line.startsWith(fence) && line === fence.charAt(0).repeat(line.length);
}

/** Folds two spellings of one heading to the same text. A name that is all punctuation stands for itself. */
function normalizeHeading(line: string): string {
  const raw = line.trim();
  const bare = raw
    .replace(/<[^<>]*>/g, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .trim()
    .replace(/^(?:#{1,6}|={1,6})\s+/, '')
    .replace(/\s#+$/, '')
    .replace(/[*_`~]/g, '')
    .replace(/^\d+(?:\.\d+)*[.)]\s+/, '')
    .trim();
  let end = bare.length;
  while (end > 0 && trailing.has(bare.charAt(end - 1))) end -= 1;
  const key = bare.slice(0, end).replace(/\s+/g, ' ').normalize('NFC').toLowerCase();
  return key === '' ? raw : key;
}
