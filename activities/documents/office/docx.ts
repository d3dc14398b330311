import type { DocumentText } from '../common/document-text.ts';
import { readXml } from '../common/xml.ts';
import { BodyReader } from './docx-body.ts';
import { ListCounter } from './docx-lists.ts';
import { readStyles } from './docx-styles.ts';
import { findRelated, type OfficePackage } from './open-package.ts';

/** Texts behind the main one: what its marks `[^1]` and `[comment 1]` lead to. */
const behind = ['footnotes', 'endnotes', 'comments'];

/** Adds the paragraphs, lists and tables of a Word document, then its notes and comments. */
export async function readDocx(office: OfficePackage, main: string, text: DocumentText): Promise<void> {
  const relations = await office.relations(main);
  const readRelated = async (type: string): Promise<string> => {
    const name = findRelated(relations, type);
    return name === undefined ? '' : ((await office.read(name)) ?? '');
  };
  const style = readStyles(await readRelated('styles'));
  const lists = new ListCounter(await readRelated('numbering'));
  const context = {
    style,
    listMark: (list: string, depth: number) => lists.next(list, depth),
    onLine: (line: string) => text.add(line),
  };
  readXml((await office.read(main)) ?? '', new BodyReader(context));
  for (const type of behind) readXml(await readRelated(type), new BodyReader(context));
}
