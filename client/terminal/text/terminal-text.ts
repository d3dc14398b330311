import { stripVTControlCharacters } from 'node:util';

/** Two joiners aside, which some scripts and emoji need, nothing invisible passes: it could hide or reorder what is shown. */
const invisible = /(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s])+/gu;

/** Somebody's text on one line, with nothing in it that a terminal obeys. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text).replace(invisible, ' ').trim();
}

/** One line of something that a person decides about, exactly: what cannot be seen is shown by its number. */
export function exactLine(text: string): string {
  return text.replace(
    /(?![ ])[\p{Cc}\p{Cf}\p{Z}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

const ascii = /^[\x20-\x7e]*$/;
const wide =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}])/u;
const zeroWidth = /^[\p{Mn}\p{Me}\u200c\u200d\ufe0e\ufe0f]+$/u;

/** Made when the first text that is not ASCII is shown: it takes longer than most commands need for their own code. */
let segmenter: Intl.Segmenter | undefined;

const graphemes = (text: string): Iterable<{ segment: string; index: number }> =>
  (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })).segment(text);

const graphemeWidth = (grapheme: string): number => (zeroWidth.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1);

/** Columns that a line takes in a terminal; colours take none. */
export function displayWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (ascii.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of graphemes(plain)) width += graphemeWidth(segment);
  return width;
}

/** Cuts a line without colours to the columns there are, and shows that it cut. */
export function fit(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Fills a line without colours up to the columns, or cuts it. */
export function pad(text: string, columns: number): string {
  const fitted = fit(text, columns);
  return fitted + ' '.repeat(Math.max(0, columns - displayWidth(fitted)));
}

/** Words on lines of at most so many columns; what is more than the lines there may be is cut, and shows that. */
export function wrap(text: string, columns: number, most: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '' && lines.length < most - 1 && displayWidth(rest) > columns) {
    const [line, after] = breakLine(rest, Math.max(1, columns));
    lines.push(line);
    rest = after;
  }
  return rest === '' || most < 1 ? lines : [...lines, fit(rest, columns)];
}

/** At the last space that fits; a word that is longer than the line is broken where the line ends. */
function breakLine(text: string, columns: number): [line: string, rest: string] {
  let width = 0;
  let space = -1;
  for (const { segment, index } of graphemes(text)) {
    width += graphemeWidth(segment);
    if (segment === ' ') space = index;
    if (width <= columns || index === 0) continue;
    return space > 0 ? [text.slice(0, space), text.slice(space + 1)] : [text.slice(0, index), text.slice(index)];
  }
  return [text, ''];
}

/** The last character as a person counts them, and what is before it. */
export function lastCharacter(text: string): [before: string, last: string] {
  const last = [...graphemes(text)].at(-1)?.segment ?? '';
  return [text.slice(0, text.length - last.length), last];
}

export function firstCharacter(text: string): [first: string, after: string] {
  for (const { segment } of graphemes(text)) return [segment, text.slice(segment.length)];
  return ['', ''];
}

/** The end of a line that fits into the columns, and shows that it was cut. */
export function fitEnd(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of [...graphemes(text)].reverse()) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    kept = segment + kept;
  }
  return columns < 1 ? '' : `…${kept}`;
}
