import { Tokenizer } from 'htmlparser2';

import { oneLine } from '../../../domain/text/text.ts';
import { ElementCount } from './element-count.ts';
import { PageWriter } from './page-writer.ts';
import { asideRoles, asideTags, blockTags, emptyTags, mayBeContent, openEnded, silentTags } from './tag-kinds.ts';

/** A page of the web as text. */
export interface PageText {
  title: string;
  markdown: string;
}

interface PageOptions {
  /** The address of the page, from which its links start. */
  base?: string | undefined;
  /** Most characters of the text. */
  most: number;
}

/** Longest text of one attribute, of the title, and the deepest list that is indented. */
const longestAttribute = 4_096;
const longestTitle = 300;
const deepest = 12;

/** Attributes that are read. */
const readAttributes: ReadonlySet<string> = new Set([
  'href',
  'src',
  'alt',
  'hidden',
  'aria-hidden',
  'style',
  'role',
  'open',
]);

/**
 * Reads a page of HTML as Markdown in one pass over its tokens, without a tree: what browsers do to repair one costs too much for a page that
 * somebody made to be expensive. Headings, lists, tables, code and links are kept; scripts, hidden parts and parts beside the content go.
 */
export function htmlToMarkdown(html: string, { base, most }: PageOptions): PageText {
  const reader = new PageReader(new PageWriter(most), base);
  let name = '';
  let key: string | undefined;
  let attributes = new Map<string, string>();
  const read = (start: number, end: number): string => html.slice(start, Math.min(end, start + longestAttribute));
  const addTo = (text: string): void => {
    if (key === undefined) return;
    const value = attributes.get(key) ?? '';
    if (value.length < longestAttribute) attributes.set(key, value + text);
  };
  const open = (): void => reader.open(name, attributes);
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        name = read(start, end).toLowerCase();
        attributes = new Map();
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => reader.close(read(start, end).toLowerCase()),
      onattribname: (start, end) => {
        const attribute = read(start, end).toLowerCase();
        key = readAttributes.has(attribute) && !attributes.has(attribute) ? attribute : undefined;
        addTo('');
      },
      onattribdata: (start, end) => addTo(read(start, end)),
      onattribentity: (codePoint) => addTo(String.fromCodePoint(codePoint)),
      onattribend: () => undefined,
      ontext: (start, end) => reader.text(html.slice(start, end)),
      ontextentity: (codePoint) => reader.text(String.fromCodePoint(codePoint)),
      oncdata: () => undefined,
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return reader.end();
}

type Attributes = ReadonlyMap<string, string>;

/** The state of a page between two tokens: counters of the elements that are open. */
class PageReader {
  readonly #writer: PageWriter;
  #base: string | undefined;
  #title: string | undefined;
  #inTitle = false;
  readonly #open = new ElementCount();
  /** An element that is not shown, one that is beside the content, and one that is the main part, by an attribute. */
  readonly #hidden = new ElementCount();
  readonly #asideRole = new ElementCount();
  readonly #mainRole = new ElementCount();
  /** The next number of each list that is open; undefined for a list without numbers. */
  #lists: (number | undefined)[] = [];
  #deeper = 0;

  constructor(writer: PageWriter, base: string | undefined) {
    this.#writer = writer;
    this.#base = base;
  }

  text(text: string): void {
    if (this.#inTitle) this.#title = `${this.#title ?? ''}${text}`.slice(0, longestTitle);
    else if (!this.#hidden.isOpen) this.#writer.text(text);
  }

  end(): PageText {
    return { title: oneLine(this.#title ?? '').trim(), markdown: this.#writer.toString() };
  }

  open(name: string, attributes: Attributes): void {
    if (this.#hidden.isOpen) {
      // The next item ends one that is hidden and whose end nobody wrote.
      if (!this.#hidden.endsAt(name, openEnded)) return this.#hidden.open(name);
      this.#hidden.clear();
    }
    if (name === 'title') {
      if (this.#title !== undefined) return this.#hidden.start(name);
      this.#title = '';
      this.#inTitle = true;
    }
    if (name === 'base') this.#base = URL.parse(attributes.get('href') ?? '', this.#base)?.href ?? this.#base;
    const isEmpty = emptyTags.has(name);
    if (!isEmpty && (silentTags.has(name) || isHidden(name, attributes))) return this.#hidden.start(name);
    if (!isEmpty) this.#enter(name, attributes);
    this.#write(name, attributes);
  }

  #enter(name: string, attributes: Attributes): void {
    const role = attributes.get('role') ?? '';
    this.#asideRole.enter(name, asideRoles.has(role));
    this.#mainRole.enter(name, role === 'main');
    if (asideTags.has(name) || name === 'main' || name === 'article' || name === 'table') this.#open.open(name);
  }

  #place(): void {
    const main = this.#open.has('main') || this.#mainRole.isOpen;
    const article = this.#open.has('article');
    const aside =
      this.#asideRole.isOpen ||
      [...asideTags].some((tag) => this.#open.has(tag) && !((main || article) && mayBeContent.has(tag)));
    this.#writer.place = { aside, main, article };
  }

  close(name: string): void {
    if (name === 'title') this.#inTitle = false;
    if (this.#hidden.isOpen) return this.#hidden.close(name);
    const writer = this.#writer;
    if (name === 'a') return writer.closeLink();
    if (name === 'code' && !writer.pre) return writer.text('`');
    if (name === 'td' || name === 'th') writer.endCell();
    else if (name === 'tr' || name === 'table') writer.endRow();
    else if (blockTags.has(name)) writer.startBlock();
    if (name === 'pre') writer.pre = false;
    if (name === 'blockquote') writer.quotes = Math.max(0, writer.quotes - 1);
    if (name === 'ul' || name === 'ol') this.#endList();
    this.#open.close(name);
    this.#asideRole.close(name);
    this.#mainRole.close(name);
    this.#place();
  }

  #write(name: string, attributes: Attributes): void {
    const writer = this.#writer;
    switch (name) {
      case 'a':
        return writer.openLink(this.#address(attributes.get('href')));
      case 'br':
        return writer.breakLine();
      case 'code':
        return writer.pre ? undefined : writer.text('`');
      case 'img':
        return this.#image(attributes);
      case 'td':
      case 'th':
        return writer.startCell();
      case 'tr':
        return this.#open.depth('table') > 1 ? writer.startBlock() : writer.startRow(this.#isFirstRow());
    }
    if (!blockTags.has(name)) return;
    if (name === 'table' || /^(?:h[1-6]|ul|ol|pre|blockquote)$/.test(name)) writer.dissolveRow();
    if (name === 'table') this.#rows = 0;
    writer.startBlock(this.#prefix(name), name === 'li');
    this.#place();
    if (name === 'pre') writer.pre = true;
    if (name === 'blockquote') writer.quotes += 1;
    if (name === 'ul' || name === 'ol') this.#startList(name === 'ol');
  }

  #rows = 0;

  #isFirstRow(): boolean {
    this.#rows += 1;
    return this.#rows === 1;
  }

  #prefix(name: string): string {
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level !== undefined) return `${'#'.repeat(Number(level))} `;
    if (name === 'dd') return ': ';
    if (name !== 'li') return '';
    const indent = '  '.repeat(Math.max(0, this.#lists.length - 1));
    const number = this.#lists.at(-1);
    if (number === undefined) return `${indent}- `;
    this.#lists[this.#lists.length - 1] = number + 1;
    return `${indent}${number}. `;
  }

  #startList(isNumbered: boolean): void {
    if (this.#lists.length < deepest) this.#lists.push(isNumbered ? 1 : undefined);
    else this.#deeper += 1;
  }

  #endList(): void {
    if (this.#deeper > 0) this.#deeper -= 1;
    else this.#lists.pop();
  }

  #image(attributes: Attributes): void {
    const alt = oneLine(attributes.get('alt') ?? '').trim();
    const address = this.#address(attributes.get('src'));
    if (alt !== '') this.#writer.text(address === '' ? alt : `![${alt}](${address})`);
  }

  /** An address of the web that a link leads to; empty for a place in the page, and for what is no address. */
  #address(href: string | undefined): string {
    if (href === undefined || href === '' || href.startsWith('#')) return '';
    const url = URL.parse(href, this.#base);
    return url !== null && /^(?:https?|mailto):$/.test(url.protocol) ? url.href : '';
  }
}

function isHidden(name: string, attributes: Attributes): boolean {
  if (attributes.has('hidden') && attributes.get('hidden') !== 'until-found') return true;
  if (attributes.get('aria-hidden') === 'true' || (name === 'dialog' && !attributes.has('open'))) return true;
  return /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.get('style') ?? '');
}
