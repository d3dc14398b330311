import { joinBlocks, selectContent, type Block } from './page-blocks.ts';

/** Largest number of blocks of a page, and of characters of all of them. */
const mostBlocks = 50_000;

/** Depth of lists and quotes that is shown: deeper ones look like it. */
const mostDepth = 12;

/** Characters of a cell from which a table is taken for the layout of a page. */
const longestCell = 1_000;

/** The place of the blocks that are written next. */
export type Place = Pick<Block, 'aside' | 'main' | 'article'>;

/** Writes the Markdown of a page, block by block. It has counters and no stack, so that no nesting is too deep for it. */
export class PageWriter {
  readonly #blocks: Block[] = [];
  readonly #most: number;
  #length = 0;
  #pieces: string[] = [];
  #linked = 0;
  /** The beginning of the text of an open link. */
  #link: { at: number; href: string } | undefined;
  #prefix = '';
  #tight = false;
  #row: string[] | undefined;
  #inCell = false;
  #rowLinked = 0;
  #rows = 0;
  place: Place = { aside: false, main: false, article: false };
  pre = false;
  quotes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#blocks.length >= mostBlocks || this.#length >= this.#most;
  }

  text(text: string): void {
    if (text === '' || this.isFull) return;
    this.#pieces.push(this.pre ? text : text.replace(/\s+/g, ' '));
  }

  breakLine(): void {
    this.#pieces.push(this.#row === undefined ? '\n' : ' ');
  }

  /** Links do not nest: the next one ends one that is open. */
  openLink(href: string): void {
    this.closeLink();
    this.#link = { at: this.#pieces.length, href };
  }

  closeLink(): void {
    const link = this.#link;
    if (link === undefined) return;
    this.#link = undefined;
    const raw = this.#pieces.splice(link.at).join('');
    const text = clean(raw);
    this.#linked += text.length;
    const [before, after] = [/^\s/.test(raw) ? ' ' : '', /\s$/.test(raw) ? ' ' : ''];
    this.#pieces.push(text === '' || link.href === '' ? raw : `${before}[${text}](${link.href})${after}`);
  }

  /** Begins a block; the one before it ends. */
  startBlock(prefix = '', tight = false): void {
    if (this.#row !== undefined) return this.endBlock();
    const link = this.#link;
    // A link around a heading begins before its block.
    const isAround = link !== undefined && this.#pieces.slice(link.at).every((piece) => piece.trim() === '');
    this.endBlock();
    this.#prefix = prefix;
    this.#tight = tight;
    if (isAround) this.openLink(link.href);
  }

  endBlock(): void {
    // Blocks of a cell are one text.
    if (this.#row !== undefined) return void this.#pieces.push(' ');
    this.closeLink();
    const text = this.pre ? fence(this.#pieces.join('')) : clean(this.#pieces.join(''));
    if (text !== '') this.#add(text);
    this.#reset();
  }

  #reset(): void {
    this.#pieces = [];
    this.#linked = 0;
    this.#prefix = '';
    this.#tight = false;
  }

  startRow(isFirst: boolean): void {
    // The end of a row need not be written, nor that of a cell.
    if (this.#row === undefined) this.endBlock();
    else this.endRow();
    this.#row = [];
    this.#inCell = false;
    this.#rowLinked = 0;
    if (isFirst) this.#rows = 0;
  }

  startCell(): void {
    if (this.#row === undefined) return this.endBlock();
    this.endCell();
    this.#inCell = true;
  }

  endCell(): void {
    if (this.#row === undefined || !this.#inCell) return;
    this.#inCell = false;
    this.closeLink();
    const text = clean(this.#pieces.join(''));
    this.#rowLinked += this.#linked;
    this.#pieces = [];
    this.#linked = 0;
    this.#row.push(text);
    if (text.length > longestCell) this.dissolveRow();
  }

  /** The table is the layout of the page: its cells are blocks. */
  dissolveRow(): void {
    const row = this.#row;
    if (row === undefined) return;
    const [open, linked] = [this.#pieces, this.#linked];
    this.#row = undefined;
    for (const cell of row) {
      this.#reset();
      if (cell !== '') this.#add(cell);
    }
    this.#reset();
    this.#pieces = open;
    this.#linked = linked;
  }

  #takeRow(): string[] | undefined {
    const row = this.#row;
    this.#row = undefined;
    return row;
  }

  endRow(): void {
    if (this.#row === undefined) return;
    this.endCell();
    const row = this.#takeRow();
    this.#reset();
    if (row === undefined || row.every((cell) => cell === '')) return;
    this.#linked = this.#rowLinked;
    this.#tight = true;
    const cells = row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' '));
    this.#add(row.length === 1 ? (row[0] ?? '') : `| ${cells.join(' | ')} |`);
    this.#rows += 1;
    if (this.#rows === 1 && row.length > 1) this.#add(`|${' --- |'.repeat(row.length)}`, 0);
    this.#reset();
  }

  #add(text: string, length = text.length): void {
    if (this.isFull) return;
    const quote = '> '.repeat(Math.min(this.quotes, mostDepth));
    const room = this.#most - this.#length;
    const whole = `${this.#prefix}${text}`.slice(0, room);
    this.#length += whole.length;
    this.#blocks.push({
      text: quote === '' ? whole : whole.replace(/^/gm, quote),
      tight: this.#tight,
      length,
      linked: Math.min(length, this.#linked),
      ...this.place,
    });
  }

  toString(): string {
    this.endRow();
    this.endBlock();
    return joinBlocks(selectContent(this.#blocks));
  }
}

/** White space as a page shows it: one space, or the line breaks that were written as such. */
const clean = (text: string): string =>
  text
    .replace(/[\u00ad\u200b]/g, '')
    .replace(/[^\S\n]{2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();

/** Code keeps its white space. A fence is longer than every run of backquotes in it. */
function fence(text: string): string {
  const code = text.replace(/^\n/, '').trimEnd();
  if (code.trim() === '') return '';
  const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const mark = '`'.repeat(longest + 1);
  return `${mark}\n${code}\n${mark}`;
}
