import { activityLimits } from '../../limits/activity-limits.ts';
import { attributeOf, type Attributes, type XmlReader } from '../common/xml.ts';
import { formatRow, formatRule } from './table-row.ts';

/** Placeholders whose text is the same on every slide, or a number. */
const furniture = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);

const { columns, text: longest } = activityLimits.documents;

/** Collects the paragraphs and tables of a slide; the title apart. */
export class SlideReader implements XmlReader {
  readonly lines: string[] = [];
  title = '';
  hidden = false;
  #placeholder = '';
  #inText = false;
  #paragraph = '';
  #depth = 0;
  #length = 0;
  #cells: string[] | undefined;
  #rows = 0;

  open = (element: string, attributes: Attributes): void => {
    if (element === 'sld') this.hidden = attributeOf(attributes, 'show') === '0';
    else if (element === 'sp') this.#placeholder = '';
    else if (element === 'ph') this.#placeholder = attributeOf(attributes, 'type') ?? 'body';
    else if (element === 't') this.#inText = true;
    else if (element === 'br') this.#append('\n');
    else if (element === 'p') this.#depth = 0;
    else if (element === 'pPr')
      this.#depth = Math.min(8, Number.parseInt(attributeOf(attributes, 'lvl') ?? '0', 10) || 0);
    else if (element === 'tbl') this.#rows = 0;
    else if (element === 'tr') this.#cells = [];
    else if (element === 'tc' && this.#cells !== undefined && this.#cells.length < columns) this.#cells.push('');
  };

  close = (element: string): void => {
    if (element === 'sp') this.#placeholder = '';
    else if (element === 't') this.#inText = false;
    else if (element === 'p') this.#endParagraph();
    else if (element === 'tr') this.#endRow();
  };

  text = (text: string): void => {
    if (this.#inText) this.#append(text);
  };

  #append(text: string): void {
    if (this.#length > longest) return;
    this.#paragraph += text;
    this.#length += text.length;
  }

  #endParagraph(): void {
    const paragraph = this.#paragraph.trim();
    this.#paragraph = '';
    if (paragraph === '' || furniture.has(this.#placeholder)) return;
    if (this.#cells !== undefined) {
      const last = this.#cells.length - 1;
      if (last >= 0) this.#cells[last] = `${this.#cells[last] ?? ''} ${paragraph}`;
    } else if (this.#placeholder === 'title' || this.#placeholder === 'ctrTitle') {
      this.title = `${this.title} ${paragraph}`.replace(/\s+/g, ' ').trim();
    } else this.lines.push(`${'  '.repeat(this.#depth)}${paragraph}`);
  }

  #endRow(): void {
    const cells = this.#cells ?? [];
    this.#cells = undefined;
    if (cells.length === 0) return;
    this.lines.push(formatRow(cells));
    if (this.#rows === 0) this.lines.push(formatRule(cells));
    this.#rows += 1;
  }
}
