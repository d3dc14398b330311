/** Awk cannot be told apart into patterns and divisions without its grammar: both readings behind a bracket count. */
export function awkRuns(program: string): boolean {
  if (/\b(?:system|getline)\b/.test(program)) return true;
  return leavesData(program, /[\w\])$"]$/) || leavesData(program, /[\w\]$"]$/);
}

const piece = /"(?:[^"\\\n]|\\[^])*(?:"|$)|#[^\n]*|\/(?:[^/\\\n]|\\.)*\/|[A-Za-z_]\w*|\|\||&&|[^]/g;

/**
 * An awk program starts programs, writes files or loads code by these marks: `|`, `@`, and `>` in a print statement, outside of texts and patterns.
 * `operand` tells what a value may end with: a slash behind one divides.
 */
function leavesData(program: string, operand: RegExp): boolean {
  let before = '';
  let prints = false;
  let depth = 0;
  piece.lastIndex = 0;
  for (let match = piece.exec(program); match !== null; match = piece.exec(program)) {
    let [text] = match;
    if (text.startsWith('/') && text.length > 1 && operand.test(before)) {
      // It divides: go on behind the slash.
      piece.lastIndex = match.index + 1;
      text = '/';
    }
    if (text === '|' || text === '@') return true;
    if (text === '(') depth += 1;
    else if (text === ')') depth -= 1;
    else if (text === 'print' || text === 'printf') [prints, depth] = [true, 0];
    else if (/^[;{}\n]$/.test(text)) prints = false;
    else if (text === '>' && prints && depth <= 0) return true;
    if (text.trim() !== '' && !text.startsWith('#')) before = text;
    else if (text === '\n') before = '';
  }
  return false;
}
