/** A diff as it was found among prose, and what its own numbers contradict. */
export interface ExtractedDiff {
  diff: string;
  /** A hunk that goes on after the lines its header counts: git would drop the rest without a word. */
  overlong?: string;
}

const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const extended =
  /^(?:old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|similarity index|dissimilarity index|index|Binary files) /;

/** Takes the unified diff out of Markdown fences and the prose around it; an empty `diff` when there is none. */
export function extractDiff(text: string): ExtractedDiff {
  const lines = text.split('\n');
  const kept: string[] = [];
  let overlong: string | undefined;
  let at = 0;
  while (at < lines.length) {
    const start = at;
    const line = lines[at] ?? '';
    if (line.startsWith('diff --git ') || extended.test(line)) at += 1;
    else if (line.startsWith('GIT binary patch')) at = endOfBinary(lines, at);
    else if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true) at += 2;
    else if (hunkHeader.test(line)) {
      at = endOfHunk(lines, at);
      if (overlong === undefined && isChange(lines, at)) overlong = line;
    }
    if (at === start) at += 1;
    else for (const part of lines.slice(start, at)) kept.push(part);
  }
  // Headers without a change are prose about one (`index of ...`).
  const isDiff = kept.some((line) => hunkHeader.test(line) || line.startsWith('diff --git '));
  return {
    diff: isDiff ? `${kept.join('\n')}\n` : '',
    ...(overlong === undefined ? {} : { overlong }),
  };
}

/** The lines that a hunk's header counts; fewer when the text ends or another part begins before. */
function endOfHunk(lines: readonly string[], start: number): number {
  const [, old, added] = hunkHeader.exec(lines[start] ?? '') ?? [];
  let [oldLeft, newLeft] = [Number(old ?? 1), Number(added ?? 1)];
  let at = start + 1;
  while (at < lines.length && (oldLeft > 0 || newLeft > 0)) {
    const line = lines[at] ?? '';
    if (line.startsWith('```') || line.startsWith('diff --git ') || hunkHeader.test(line)) return at;
    if (!line.startsWith('+') && !line.startsWith('\\')) oldLeft -= 1;
    if (!line.startsWith('-') && !line.startsWith('\\')) newLeft -= 1;
    at += 1;
  }
  while (lines[at]?.startsWith('\\') === true) at += 1;
  return at;
}

/** A change right after a hunk belongs to it; the next file's header and the signature of a mail do not. */
function isChange(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (/^--\s?$/.test(line) || (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true)) return false;
  return /^[+-]/.test(line);
}

function endOfBinary(lines: readonly string[], start: number): number {
  let at = start + 1;
  while (at < lines.length && !/^(?:```|diff --git )/.test(lines[at] ?? '')) at += 1;
  return at;
}
