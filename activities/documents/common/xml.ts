import { Tokenizer } from 'htmlparser2';
import { activityLimits } from '../../limits/activity-limits.ts';

/** Attributes of one element, by their names with prefix. */
export type Attributes = ReadonlyMap<string, string>;

/** Receives an XML text in its order. Names of elements come without their prefix, which each program may choose for itself. */
export interface XmlReader {
  open?: (name: string, attributes: Attributes) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

/** The value of an attribute, whatever its prefix. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  const plain = attributes.get(name);
  if (plain !== undefined) return plain;
  for (const [key, value] of attributes) if (key.endsWith(`:${name}`)) return value;
  return undefined;
}

/** The id of a relationship (`r:id`), beside which there may be an `id` of another meaning. */
export function relationOf(attributes: Attributes): string | undefined {
  for (const [key, value] of attributes) if (key.endsWith(':id')) return value;
  return undefined;
}

const { attributes: mostAttributes, attribute: longestAttribute } = activityLimits.documents;

/**
 * Reads an XML text without a tree and without recursion, so that no depth is too deep. Entities that a document defines are not expanded:
 * a few of them may stand for gigabytes. What is not well-formed is read as far as it goes.
 */
export function readXml(xml: string, reader: XmlReader): void {
  let name = '';
  let attributes = new Map<string, string>();
  let key = '';
  let value = '';
  const open = (): void => reader.open?.(name, attributes);
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        name = localName(xml.slice(start, end));
        attributes = new Map();
      },
      onopentagend: open,
      onselfclosingtag: () => {
        open();
        reader.close?.(name);
      },
      onclosetag: (start, end) => reader.close?.(localName(xml.slice(start, end))),
      onattribname: (start, end) => {
        key = xml.slice(start, Math.min(end, start + longestAttribute));
        value = '';
      },
      onattribdata: (start, end) => {
        if (value.length < longestAttribute)
          value += xml.slice(start, Math.min(end, start + longestAttribute - value.length));
      },
      onattribentity: (codePoint) => {
        if (value.length < longestAttribute) value += String.fromCodePoint(codePoint);
      },
      onattribend: () => {
        if (attributes.size < mostAttributes && !attributes.has(key)) attributes.set(key, value);
      },
      ontext: (start, end) => reader.text?.(xml.slice(start, end)),
      ontextentity: (codePoint) => reader.text?.(String.fromCodePoint(codePoint)),
      oncdata: (start, end, endOffset) => reader.text?.(xml.slice(start, end - endOffset)),
      oncomment: () => undefined,
      ondeclaration: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(xml);
  tokenizer.end();
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
