import { activityLimits } from '../../limits/activity-limits.ts';
import { attributeOf, readXml } from '../common/xml.ts';

/** How the number of a cell is a time: a day, a day with its time, a time alone, or hours that may exceed a day. */
export type DateStyle = 'date' | 'date-time' | 'time' | 'duration';

/** Formats that every program knows by their number; those of East Asia among them. */
const builtIn = new Map<number, DateStyle>([
  ...range(14, 17, 'date'),
  ...range(18, 21, 'time'),
  [22, 'date-time'],
  ...range(27, 31, 'date'),
  ...range(32, 35, 'time'),
  [36, 'date'],
  [45, 'time'],
  [46, 'duration'],
  [47, 'time'],
  ...range(50, 58, 'date'),
]);

function range(from: number, to: number, style: DateStyle): [number, DateStyle][] {
  return Array.from({ length: to - from + 1 }, (_, index) => [from + index, style]);
}

/** The styles of cells by their number: only dates and times look otherwise than their value. */
export function readDateStyles(xml: string): (style: number) => DateStyle | undefined {
  const formats = new Map<number, DateStyle | undefined>();
  const cells: (DateStyle | undefined)[] = [];
  const { styles: most } = activityLimits.documents;
  let inCells = false;
  readXml(xml, {
    open: (element, attributes) => {
      const id = Number(attributeOf(attributes, 'numFmtId') ?? 0);
      if (element === 'numFmt' && formats.size < most)
        formats.set(id, readFormatCode(attributeOf(attributes, 'formatCode') ?? ''));
      else if (element === 'cellXfs') inCells = true;
      else if (element === 'xf' && inCells && cells.length < most)
        cells.push(formats.has(id) ? formats.get(id) : builtIn.get(id));
    },
    close: (element) => {
      if (element === 'cellXfs') inCells = false;
    },
  });
  return (style) => cells[style];
}

/** Reads the letters of a format code outside of quotes, escapes and colours. `m` is a month or a minute, as its neighbours are. */
export function readFormatCode(code: string): DateStyle | undefined {
  const letters = code
    .split(';', 1)
    .join('')
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .toLowerCase();
  if (/\[(?:h+|m+|s+)\]/.test(letters)) return 'duration';
  const plain = letters.replace(/\[[^\]]*\]/g, '').replace(/general/g, '');
  const hasTime = /[hs]/.test(plain);
  const hasDate = /[yd]/.test(plain) || (!hasTime && /m/.test(plain));
  if (hasDate && hasTime) return 'date-time';
  if (hasDate) return 'date';
  return hasTime ? 'time' : undefined;
}
