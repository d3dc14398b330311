import { activityLimits } from '../../limits/activity-limits.ts';
import { attributeOf, type Attributes, type XmlReader } from '../common/xml.ts';
import { readFormat, type ParagraphFormat } from './docx-styles.ts';
import { formatRow, formatRule } from './table-row.ts';

export interface BodyContext {
  style: (id: string) => ParagraphFormat;
  /** The mark of the next item of a list. */
  listMark: (list: string, depth: number) => string;
  onLine: (line: string) => void;
}

/** Text that was moved away, older formats, and a second form of the same drawing. Deleted text has elements of its own. */
const skipped = new Set(['moveFrom', 'Fallback', 'pPrChange', 'rPrChange', 'numberingChange', 'tblPrChange']);

/** The lines between text and notes are notes of their own, with a type. */
const isSeparator = (element: string, attributes: Attributes): boolean =>
  (element === 'footnote' || element === 'endnote') && /separator/i.test(attributeOf(attributes, 'type') ?? '');

const noteMarks: Readonly<Record<string, (id: string) => string>> = {
  footnoteReference: (id) => `[^${id}]`,
  endnoteReference: (id) => `[^e${id}]`,
  commentReference: (id) => `[comment ${id}]`,
};

const { columns, text: longest } = activityLimits.documents;

/**
 * Turns the paragraphs and tables of a document into lines of Markdown. Counters instead of a stack: a nested table or text box becomes
 * part of what surrounds it, and no nesting costs more than its length.
 */
export class BodyReader implements XmlReader {
  readonly #context: BodyContext;
  #skipping = 0;
  #inText = false;
  #inProperties = 0;
  #paragraph = '';
  #format: ParagraphFormat = {};
  #style: string | undefined;
  #tables = 0;
  #rows = 0;
  #cells: string[] = [];
  #cell = '';
  /** The mark before the first line of a note. */
  #prefix = '';

  constructor(context: BodyContext) {
    this.#context = context;
  }

  open = (element: string, attributes: Attributes): void => {
    if (this.#skipping > 0 || skipped.has(element) || isSeparator(element, attributes)) {
      this.#skipping += 1;
      return;
    }
    if (this.#inProperties > 0) this.#readProperty(element, attributes);
    switch (element) {
      case 'p':
        this.#endParagraph();
        break;
      case 'pPr':
        this.#inProperties += 1;
        break;
      case 't':
        this.#inText = true;
        break;
      case 'tab':
        if (this.#inProperties === 0) this.#append('\t');
        break;
      case 'br':
      case 'cr':
        this.#append('\n');
        break;
      case 'noBreakHyphen':
        this.#append('-');
        break;
      case 'tbl':
        this.#openTable();
        break;
      case 'tr':
        if (this.#tables === 1) this.#cells = [];
        break;
      case 'tc':
        if (this.#tables === 1) this.#cell = '';
        break;
      default:
        this.#openNote(element, attributes);
    }
  };

  close = (element: string): void => {
    if (this.#skipping > 0) {
      this.#skipping -= 1;
      return;
    }
    if (element === 'p') this.#endParagraph();
    else if (element === 'pPr') this.#inProperties = Math.max(0, this.#inProperties - 1);
    else if (element === 't') this.#inText = false;
    else if (element === 'tbl') this.#tables = Math.max(0, this.#tables - 1);
    else if (this.#tables === 1) this.#closeInTable(element);
  };

  text = (text: string): void => {
    if (this.#inText && this.#skipping === 0) this.#append(text);
  };

  #append(text: string): void {
    if (this.#paragraph.length < longest) this.#paragraph += text;
  }

  #readProperty(element: string, attributes: Attributes): void {
    if (element === 'pStyle') this.#style = attributeOf(attributes, 'val');
    else readFormat(this.#format, element, attributes);
  }

  #openTable(): void {
    this.#endParagraph();
    this.#tables += 1;
    if (this.#tables === 1) this.#rows = 0;
  }

  #closeInTable(element: string): void {
    if (element === 'tc' && this.#cells.length < columns) {
      this.#cells.push(this.#cell);
      this.#cell = '';
    }
    if (element !== 'tr' || this.#cells.length === 0) return;
    this.#emit(formatRow(this.#cells));
    if (this.#rows === 0) this.#emit(formatRule(this.#cells));
    this.#rows += 1;
    this.#cells = [];
  }

  #openNote(element: string, attributes: Attributes): void {
    const id = attributeOf(attributes, 'id') ?? '';
    const mark = noteMarks[element];
    if (mark !== undefined) this.#append(mark(id));
    if (element === 'footnote') this.#prefix = `[^${id}]: `;
    if (element === 'endnote') this.#prefix = `[^e${id}]: `;
    if (element === 'comment') this.#prefix = `[comment ${id}] ${attributeOf(attributes, 'author') ?? ''}: `;
  }

  #endParagraph(): void {
    const paragraph = this.#paragraph.trim();
    const written = this.#format;
    const style = this.#style === undefined ? {} : this.#context.style(this.#style);
    this.#paragraph = '';
    this.#format = {};
    this.#style = undefined;
    if (paragraph === '') return;
    if (this.#tables > 0) {
      if (this.#cell.length < longest) this.#cell += ` ${paragraph}`;
      return;
    }
    const format = { ...style, ...written };
    const mark = format.list === undefined ? '' : this.#context.listMark(format.list, format.depth ?? 0);
    const marked = mark === '' ? paragraph : `${mark} ${paragraph}`;
    const level = format.level ?? 0;
    if (level > 0) this.#emit(`${'#'.repeat(Math.min(level, 6))} ${marked.replaceAll('\n', ' ')}`);
    else this.#emit(mark === '' ? marked : '  '.repeat(format.depth ?? 0) + marked);
  }

  #emit(line: string): void {
    this.#context.onLine(this.#prefix + line);
    this.#prefix = '';
  }
}
