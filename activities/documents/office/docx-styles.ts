import { activityLimits } from '../../limits/activity-limits.ts';
import { attributeOf, readXml, type Attributes } from '../common/xml.ts';

/** The role of a paragraph, by itself or by its style; undefined: its style decides. */
export interface ParagraphFormat {
  /** Level of a heading, from 1; 0: it is not a heading. */
  level?: number;
  /** The list to which it belongs, and how deep in it, from 0. */
  list?: string;
  depth?: number;
}

/** Reads the keys of a format from the elements of a paragraph or a style. */
export function readFormat(format: ParagraphFormat, element: string, attributes: Attributes): void {
  const value = attributeOf(attributes, 'val');
  if (value === undefined) return;
  if (element === 'numId') format.list = value;
  if (element === 'ilvl') format.depth = Math.min(8, Math.max(0, Number.parseInt(value, 10) || 0));
  if (element === 'outlineLvl') format.level = /^[0-8]$/.test(value) ? Number(value) + 1 : 0;
}

const deepestStyle = 20;

/** The styles of a document by their ids. Headings have names that every language of the program shares: "heading 1". */
export function readStyles(xml: string): (id: string) => ParagraphFormat {
  const styles = new Map<string, ParagraphFormat & { basedOn?: string }>();
  let style: (ParagraphFormat & { basedOn?: string }) | undefined;
  readXml(xml, {
    open: (element, attributes) => {
      const value = attributeOf(attributes, 'val');
      if (element === 'style') {
        const id = attributeOf(attributes, 'styleId');
        style = {};
        if (id !== undefined && styles.size < activityLimits.documents.styles) styles.set(id, style);
      } else if (style !== undefined && value !== undefined) {
        if (element === 'basedOn') style.basedOn = value;
        const heading = element === 'name' ? /^(?:heading ([1-9])|title)$/i.exec(value) : null;
        if (heading !== null) style.level = Number(heading[1] ?? 1);
        readFormat(style, element, attributes);
      }
    },
    close: (element) => {
      if (element === 'style') style = undefined;
    },
  });
  return (id) => {
    const format: ParagraphFormat = {};
    let next: string | undefined = id;
    for (let above = 0; next !== undefined && above < deepestStyle; above += 1) {
      const { basedOn, level, list, depth }: ParagraphFormat & { basedOn?: string } = styles.get(next) ?? {};
      if (level !== undefined) format.level ??= level;
      if (list !== undefined) format.list ??= list;
      if (depth !== undefined) format.depth ??= depth;
      next = basedOn;
    }
    return format;
  };
}
