import { attributeOf, readXml } from '../common/xml.ts';

/** One depth of a list: how its items are counted, from which number, and the text before them (`%1.%2`). */
interface ListLevel {
  format: string;
  start: number;
  text: string;
}

type Levels = (ListLevel | undefined)[];

const deepest = 9;

/** The marks of list items: a dash, or the number that a reader of the document sees. */
export class ListCounter {
  readonly #levels = new Map<string, Levels>();
  /** Lists of one definition count on together. */
  readonly #definitions = new Map<string, string>();
  readonly #counts = new Map<string, number[]>();

  constructor(xml: string) {
    let definition: string | undefined;
    let list: string | undefined;
    let level: ListLevel | undefined;
    readXml(xml, {
      open: (element, attributes) => {
        const value = attributeOf(attributes, 'val') ?? '';
        if (element === 'abstractNum') definition = attributeOf(attributes, 'abstractNumId');
        else if (element === 'num') list = attributeOf(attributes, 'numId');
        else if (element === 'abstractNumId' && list !== undefined) this.#definitions.set(list, value);
        else if (element === 'lvl' && definition !== undefined)
          level = this.#addLevel(definition, attributeOf(attributes, 'ilvl'));
        else if (level === undefined) return;
        else if (element === 'numFmt') level.format = value;
        else if (element === 'start') level.start = Number.parseInt(value, 10) || 0;
        else if (element === 'lvlText') level.text = value;
      },
      close: (element) => {
        if (element === 'abstractNum') definition = undefined;
        else if (element === 'num') list = undefined;
        else if (element === 'lvl') level = undefined;
      },
    });
  }

  #addLevel(definition: string, depth = '0'): ListLevel | undefined {
    if (!/^[0-8]$/.test(depth)) return undefined;
    const levels = this.#levels.get(definition) ?? Array<undefined>(deepest).fill(undefined);
    this.#levels.set(definition, levels);
    return (levels[Number(depth)] = { format: 'bullet', start: 1, text: '' });
  }

  /** The mark of the next item, such as `-`, `3.` or `2.1`. Empty for list 0, which means none. */
  next(list: string, depth: number): string {
    if (list === '0') return '';
    const definition = this.#definitions.get(list) ?? list;
    const levels = this.#levels.get(definition) ?? [];
    const counts = this.#counts.get(definition) ?? [];
    this.#counts.set(definition, counts);
    counts[depth] = (counts[depth] ?? (levels[depth]?.start ?? 1) - 1) + 1;
    counts.length = depth + 1;
    const { format, text } = levels[depth] ?? { format: 'bullet', text: '' };
    if (format === 'bullet' || format === 'none' || text === '') return '-';
    return text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      return formatNumber(counts[at] ?? levels[at]?.start ?? 1, levels[at]?.format);
    });
  }
}

function formatNumber(count: number, format: string | undefined): string {
  switch (format) {
    case 'lowerLetter':
      return formatLetter(count);
    case 'upperLetter':
      return formatLetter(count).toUpperCase();
    case 'lowerRoman':
      return formatRoman(count);
    case 'upperRoman':
      return formatRoman(count).toUpperCase();
    default:
      return String(count);
  }
}

/** After `z` comes `aa`, then `bb`. */
function formatLetter(count: number): string {
  if (count < 1 || count > 780) return String(count);
  return String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.ceil(count / 26));
}

const roman: [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

function formatRoman(count: number): string {
  if (count < 1 || count > 3_999) return String(count);
  let text = '';
  for (const [value, letters] of roman) for (; count >= value; count -= value) text += letters;
  return text;
}
