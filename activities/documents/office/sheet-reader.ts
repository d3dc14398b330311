import { activityLimits } from '../../limits/activity-limits.ts';
import { attributeOf, type Attributes, type XmlReader } from '../common/xml.ts';
import type { DateStyle } from './date-styles.ts';
import { formatDate } from './format-date.ts';

export interface SheetContext {
  sharedTexts: readonly string[];
  dateStyle: (style: number) => DateStyle | undefined;
  date1904: boolean;
}

const { columns, emptyRows, cell: longestCell } = activityLimits.documents;

/** Turns the rows of a sheet into lines of CSV. Columns keep their place; rows without cells are empty lines, or one line for many. */
export class SheetReader implements XmlReader {
  leftOut = false;
  readonly #context: SheetContext;
  readonly #onLine: (line: string) => void;
  #row = 0;
  #written = 0;
  #cells: string[] = [];
  #column = 0;
  #type = 'n';
  #style = 0;
  #value = '';
  #formula = '';
  #into: 'value' | 'formula' | undefined;

  constructor(context: SheetContext, onLine: (line: string) => void) {
    this.#context = context;
    this.#onLine = onLine;
  }

  open = (element: string, attributes: Attributes): void => {
    if (element === 'row') {
      const row = Number(attributeOf(attributes, 'r'));
      this.#row = Number.isSafeInteger(row) && row > this.#row ? row : this.#row + 1;
      this.#cells = [];
      this.#column = 0;
    } else if (element === 'c') {
      this.#column = columnOf(attributeOf(attributes, 'r')) ?? this.#column + 1;
      this.#type = attributeOf(attributes, 't') ?? 'n';
      this.#style = Number(attributeOf(attributes, 's') ?? 0);
      this.#value = this.#formula = '';
    } else if (element === 'v' || (element === 't' && this.#type === 'inlineStr')) this.#into = 'value';
    else if (element === 'f') this.#into = 'formula';
  };

  close = (element: string): void => {
    if (element === 'v' || element === 't' || element === 'f') this.#into = undefined;
    else if (element === 'c') this.#endCell();
    else if (element === 'row') this.#endRow();
  };

  text = (text: string): void => {
    if (this.#into === 'value' && this.#value.length < longestCell) this.#value += text;
    if (this.#into === 'formula' && this.#formula.length < longestCell) this.#formula += text;
  };

  #endCell(): void {
    const shown = this.#format().slice(0, longestCell);
    if (shown === '') return;
    if (this.#column > columns) {
      this.leftOut = true;
      return;
    }
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells[this.#column - 1] = /[",\n\r]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
  }

  #format(): string {
    const value = this.#value;
    if (value === '') return this.#formula === '' ? '' : `=${this.#formula}`;
    if (this.#type === 's') return this.#context.sharedTexts[Number(value)] ?? '';
    if (this.#type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    const style = this.#type === 'n' ? this.#context.dateStyle(this.#style) : undefined;
    return (style === undefined ? undefined : formatDate(Number(value), style, this.#context.date1904)) ?? value;
  }

  #endRow(): void {
    if (this.#cells.length === 0) return;
    const empty = this.#row - this.#written - 1;
    if (empty > emptyRows) this.#onLine(`(rows ${this.#written + 1} to ${this.#row - 1} are empty)`);
    else for (let row = 0; row < empty; row += 1) this.#onLine('');
    this.#onLine(this.#cells.join(','));
    this.#written = this.#row;
    this.#cells = [];
  }
}

/** The number of a column, from `AB12`: A is 1, and XFD the last. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^([A-Za-z]{1,3})\d*$/.exec(reference ?? '')?.[1]?.toUpperCase();
  if (letters === undefined) return reference === undefined ? undefined : Infinity;
  let column = 0;
  for (let at = 0; at < letters.length; at += 1) column = column * 26 + letters.charCodeAt(at) - 64;
  return column;
}
