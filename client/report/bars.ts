import { markup, nothing, type Markup } from '../html/markup.ts';
import { displayWidth, fit } from '../terminal/text/terminal-text.ts';

export interface Bars {
  /** For the ids inside the picture. */
  id: string;
  title: string;
  className: string;
  bars: readonly [name: string, count: number][];
}

const rowHeight = 26;
const barHeight = 14;
const width = 460;
const nameColumns = 24;
const columnWidth = 6.9;
const gap = 12;
/** For the figure behind the longest bar. */
const figureWidth = 44;

/** Counts as horizontal bars; the description holds every figure. */
export function barChart({ id, title, className, bars }: Bars): Markup {
  if (bars.length === 0) return nothing;
  const most = Math.max(...bars.map(([, count]) => count));
  const left = Math.max(...bars.map(([name]) => displayWidth(fit(name, nameColumns)))) * columnWidth + gap;
  const room = width - left - figureWidth;
  const rows = bars.map(([name, count], index) => {
    const middle = index * rowHeight + rowHeight / 2;
    const length = Math.max(2, (count / most) * room);
    return markup`<g><text class="name" x="0" y="${middle + 4}">${fit(name, nameColumns)}</text><rect class="${className}" x="${round(left)}" y="${middle - barHeight / 2}" width="${round(length)}" height="${barHeight}" rx="2"/><text class="figure" x="${round(left + length + 6)}" y="${middle + 4}">${count}</text></g>`;
  });
  const description = bars.map(([name, count]) => `${name}: ${count}`).join('; ');
  return markup`<svg class="bars" viewBox="0 0 ${width} ${bars.length * rowHeight}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title>
<desc id="${id}-desc">${description}</desc>
${rows}
</svg>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
