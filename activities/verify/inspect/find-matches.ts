import { clip } from '../../../domain/text/text.ts';

const longestExcerpt = 100;

/** Lines where a pattern matches, as `line 3: text`. `^` and `$` mean a line; a match may span several. */
export function findMatches(text: string, pattern: string, most: number): string[] {
  const matches: string[] = [];
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(compile(pattern))) {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < match.index; at = text.indexOf('\n', counted)) {
      line += 1;
      counted = at + 1;
    }
    matches.push(`line ${line}: ${excerpt(text, match.index)}`);
    if (matches.length === most) break;
  }
  return matches;
}

/** Unicode where the pattern allows it: only then are `\p{L}` and characters beyond 16 bits what they look like. */
function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'gmu');
  } catch {
    return new RegExp(pattern, 'gm');
  }
}

function excerpt(text: string, index: number): string {
  const start = text.lastIndexOf('\n', Math.max(0, index - 1)) + 1;
  const from = Math.max(start, index - longestExcerpt / 2);
  const end = text.indexOf('\n', index);
  return clip(text.slice(from, end === -1 ? from + 2 * longestExcerpt : end).trim(), longestExcerpt);
}
