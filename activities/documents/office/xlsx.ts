import { activityLimits } from '../../limits/activity-limits.ts';
import { clip } from '../../../domain/text/text.ts';
import { untilEnd, type DocumentText } from '../common/document-text.ts';
import { attributeOf, readXml, relationOf } from '../common/xml.ts';
import { readDateStyles } from './date-styles.ts';
import { findRelated, type OfficePackage } from './open-package.ts';
import { SheetReader, type SheetContext } from './sheet-reader.ts';

interface Sheet {
  name: string;
  target: string;
  hidden: boolean;
}

const { name: longestName, parts: mostSheets, sharedTexts: mostTexts } = activityLimits.documents;

/** Adds the sheets of a workbook as CSV. Returns the names of all sheets. */
export async function readXlsx(
  office: OfficePackage,
  main: string,
  { text, part }: { text: DocumentText; part?: string | undefined },
): Promise<string[]> {
  const relations = await office.relations(main);
  const readRelated = async (type: string): Promise<string> =>
    (await office.read(findRelated(relations, type) ?? '')) ?? '';
  const sheets: Sheet[] = [];
  let date1904 = false;
  readXml((await office.read(main)) ?? '', {
    open: (element, attributes) => {
      if (element === 'workbookPr') date1904 = ['1', 'true'].includes(attributeOf(attributes, 'date1904') ?? '');
      const target = element === 'sheet' ? relations.get(relationOf(attributes) ?? '')?.target : undefined;
      if (target === undefined || sheets.length >= mostSheets) return;
      const name = clip(attributeOf(attributes, 'name') ?? `Sheet${sheets.length + 1}`, longestName);
      sheets.push({ name, target, hidden: (attributeOf(attributes, 'state') ?? 'visible') !== 'visible' });
    },
  });
  const shown = findSheets(sheets, part);
  if (shown.length > 0) {
    const context = {
      sharedTexts: readSharedTexts(await readRelated('sharedStrings')),
      dateStyle: readDateStyles(await readRelated('styles')),
      date1904,
    };
    await untilEnd(text, async () => {
      for (const sheet of shown) await readSheet(office, sheet, { text, context });
    });
  }
  return sheets.map((sheet) => sheet.name);
}

/** A part is the name of a sheet, or its number where none has such a name. */
function findSheets(sheets: readonly Sheet[], part: string | undefined): readonly Sheet[] {
  if (part === undefined) return sheets;
  const named = sheets.filter((sheet) => sheet.name === part);
  return named.length > 0 ? named.slice(0, 1) : sheets.filter((_, index) => String(index + 1) === part);
}

async function readSheet(
  office: OfficePackage,
  { name, target, hidden }: Sheet,
  { text, context }: { text: DocumentText; context: SheetContext },
): Promise<void> {
  text.startPart(name);
  text.add(`## Sheet ${name}${hidden ? ' (hidden)' : ''}`);
  const reader = new SheetReader(context, (line) => text.add(line));
  readXml((await office.read(target)) ?? '', reader);
  if (reader.leftOut)
    text.notes.push(`Columns of ${name} behind the first ${activityLimits.documents.columns} are missing.`);
}

/** The texts that cells name by a number; a reading aid (`rPh`) is none of them. */
function readSharedTexts(xml: string): string[] {
  const texts: string[] = [];
  let current = '';
  let inText = false;
  let inAid = false;
  readXml(xml, {
    open: (element) => {
      if (element === 'si') current = '';
      else if (element === 't') inText = true;
      else if (element === 'rPh') inAid = true;
    },
    close: (element) => {
      if (element === 't') inText = false;
      else if (element === 'rPh') inAid = false;
      else if (element === 'si' && texts.length < mostTexts) texts.push(current);
    },
    text: (text) => {
      if (inText && !inAid) current += text;
    },
  });
  return texts;
}
