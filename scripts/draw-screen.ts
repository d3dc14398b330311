/** A screen as `tmux capture-pane -e` gives it. */
export interface Screen {
  /** The line of the shell that shows it. */
  command: string;
  lines: readonly string[];
  columns: number;
  title: string;
}

const escape = '\u001b';

interface Style {
  bold: boolean;
  dim: boolean;
  colour: number | undefined;
}

const plain: Style = { bold: false, dim: false, colour: undefined };

/** The eight colours of a terminal, on a dark ground that reads the same in a light and in a dark page. */
const palette = ['#6e7681', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea', '#e6edf3'];
const ground = '#0d1117';
const ink = '#e6edf3';

const cell = { width: 8.4, height: 20 };
const margin = { left: 18, top: 46, bottom: 16 };

/** Colours and weights by the numbers of an SGR sequence; a number that is not drawn changes nothing. */
function restyle(style: Style, codes: readonly number[]): Style {
  return codes.reduce((now: Style, code): Style => {
    if (code === 0) return plain;
    if (code === 1) return { ...now, bold: true };
    if (code === 2) return { ...now, dim: true };
    if (code === 22) return { ...now, bold: false, dim: false };
    if (code === 39) return { ...now, colour: undefined };
    if (code >= 30 && code <= 37) return { ...now, colour: code - 30 };
    return code >= 90 && code <= 97 ? { ...now, colour: code - 90 } : now;
  }, style);
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0');

/** Each part has its place and its length in columns (each character is one column wide), so that any fixed-width font gives the same picture. */
function drawPart(text: string, { column, row, style }: { column: number; row: number; style: Style }): string {
  if (text.trim() === '') return '';
  const attributes = [
    `x="${(margin.left + column * cell.width).toFixed(1)}"`,
    `y="${margin.top + (row + 1) * cell.height - 5}"`,
    `textLength="${(text.length * cell.width).toFixed(1)}"`,
    ...(style.colour === undefined ? [] : [`fill="${palette[style.colour] ?? ink}"`]),
    ...(style.bold ? ['font-weight="700"'] : []),
    ...(style.dim ? ['opacity="0.65"'] : []),
  ];
  return `    <text ${attributes.join(' ')}>${escapeText(text)}</text>\n`;
}

/** A style, where one begins, and the text up to the next one. */
const styled = new RegExp(`(?:${escape}\\[([\\d;]*)m)?([^${escape}]*)`, 'g');

/** Styles last from line to line, as they do on a terminal. */
function drawLines(lines: readonly string[]): string {
  let style = plain;
  let drawn = '';
  for (const [row, line] of lines.entries()) {
    let column = 0;
    for (const [, codes, text = ''] of line.matchAll(styled)) {
      if (codes !== undefined) style = restyle(style, codes.split(';').map(Number));
      drawn += drawPart(text, { column, row, style });
      column += text.length;
    }
  }
  return drawn;
}

/** Draws a captured screen as an SVG with the colours that the terminal showed. */
export function drawScreen({ command, lines, columns, title }: Screen): string {
  const width = Math.ceil(columns * cell.width + 2 * margin.left);
  const height = margin.top + (lines.length + 2) * cell.height + margin.bottom;
  const dots = ['#ff5f57', '#febc2e', '#28c840']
    .map((colour, index) => `  <circle cx="${22 + index * 20}" cy="22" r="6" fill="${colour}"/>\n`)
    .join('');
  const shown = [`${escape}[32m$${escape}[0m ${escape}[1m${command}${escape}[0m`, '', ...lines];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">
  <title>${escapeText(title)}</title>
  <rect width="${width}" height="${height}" rx="10" fill="${ground}" stroke="#30363d"/>
${dots}  <g fill="${ink}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${drawLines(shown)}  </g>
</svg>
`;
}
