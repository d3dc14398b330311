export interface PatchLine {
  kind: 'add' | 'del' | 'same' | 'hunk';
  number: number | null;
  text: string;
}

export interface FilePatch {
  path: string;
  lines: PatchLine[];
  added: number;
  removed: number;
}

/** More lines are not drawn: nobody reads them in a page. */
export const mostLines = 5_000;

/** Splits a unified diff, as git writes it, into files and lines with their numbers. */
export function parsePatch(patch: string): { files: FilePatch[]; cut: boolean } {
  const files: FilePatch[] = [];
  let file: FilePatch | undefined;
  let [left, right] = [0, 0];
  let inHunk = false;
  const all = patch.split('\n');
  for (const line of all.slice(0, mostLines)) {
    if (line.startsWith('diff --git ')) {
      file = { path: readPath(line), lines: [], added: 0, removed: 0 };
      files.push(file);
      inHunk = false;
    } else if (line.startsWith('@@ ')) {
      const match = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
      [left, right] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
      inHunk = true;
      if (file?.lines.some(({ kind }) => kind !== 'hunk') === true)
        file.lines.push({ kind: 'hunk', number: null, text: '⋯' });
    } else if (file !== undefined && inHunk) {
      if (line.startsWith('+')) {
        file.added += 1;
        file.lines.push({ kind: 'add', number: right++, text: line.slice(1) });
      } else if (line.startsWith('-')) {
        file.removed += 1;
        file.lines.push({ kind: 'del', number: left++, text: line.slice(1) });
      } else if (line.startsWith(' ')) {
        left += 1;
        file.lines.push({ kind: 'same', number: right++, text: line.slice(1) });
      }
    } else if (file !== undefined && /^(?:rename|Binary|new file|deleted file|old mode|new mode)/.test(line)) {
      file.lines.push({ kind: 'hunk', number: null, text: line });
    }
  }
  return { files, cut: all.length > mostLines };
}

/** The path behind `b/`; a quoted one keeps its escapes. */
function readPath(line: string): string {
  const rest = line.slice('diff --git '.length);
  const half = rest.slice(Math.floor(rest.length / 2) + 1);
  return half.replace(/^"?b\//, '').replace(/"$/, '');
}
