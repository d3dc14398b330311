import { escapeXml } from '../../domain/text/text.ts';
import { plainLine } from '../terminal/text/terminal-text.ts';

/** Text that is HTML already. Only `markup` and `trusted` make it, so nothing of others gets in unescaped. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

type Part = string | number | Markup | readonly Markup[];

/** HTML with its values escaped. Attributes stand in double quotes. */
export function markup(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(strings.map((text, index) => text + show(parts[index] ?? '')).join(''));
}

/** For our own constants alone. */
export const trusted = (html: string): Markup => new Markup(html);

export const nothing = new Markup('');

function show(part: Part): string {
  if (part instanceof Markup) return part.html;
  if (typeof part === 'number') return String(part);
  // Text that could hide or reorder its neighbours loses that power.
  return typeof part === 'string' ? escapeXml(plainLine(part)) : part.map(({ html }) => html).join('\n');
}

/** Somebody's text with its lines kept. */
export const lines = (text: string): Markup[] => text.split(/\r\n?|\n/).map((line) => markup`${line}`);
