import { formatCount, formatList } from '../../../domain/text/text.ts';
import { DocumentError, untilEnd, type DocumentText } from '../common/document-text.ts';
import type { DocumentKind, Extraction } from '../common/extraction.ts';
import { attributeOf, readXml } from '../common/xml.ts';
import { readDocx } from './docx.ts';
import { OfficePackage } from './open-package.ts';
import { readPptx } from './pptx.ts';
import { readXlsx } from './xlsx.ts';

type Request = { text: DocumentText; part?: string | undefined };

/** Reads a zip archive that is an office document; undefined for any other archive. */
export async function readOffice(bytes: Buffer, request: Request): Promise<Extraction | undefined> {
  const office = await OfficePackage.open(bytes);
  const main = await office?.related('', 'officeDocument');
  if (office === undefined || main === undefined) return undefined;
  const { text, part } = request;
  const done = (kind: DocumentKind, label: string): Extraction => ({
    ...{ kind, label, text: text.toString(), parts: text.parts, notes: text.notes },
  });
  switch (await findFormat(office, main)) {
    case 'word':
      if (part !== undefined) throw new DocumentError('it has no parts');
      await untilEnd(text, () => readDocx(office, main, text));
      return done('docx', 'Word document');
    case 'slides': {
      const count = await readPptx(office, main, request);
      if (part !== undefined && text.parts.length === 0)
        throw new DocumentError(`there is no slide ${part}: it has ${formatCount(count, 'slide')}`);
      return { ...done('pptx', 'PowerPoint presentation'), unit: 'slide', count };
    }
    case 'sheets': {
      const names = await readXlsx(office, main, request);
      if (part !== undefined && text.parts.length === 0)
        throw new DocumentError(`there is no sheet ${part}: it has ${formatList(names, mostNamed)}`);
      return { ...done('xlsx', 'Excel workbook'), unit: 'sheet', count: names.length };
    }
    case undefined:
      return undefined;
  }
}

const mostNamed = 20;

/** The format by the content type of the main entry, which stands in a table of its own. */
async function findFormat(office: OfficePackage, main: string): Promise<'word' | 'slides' | 'sheets' | undefined> {
  let type = '';
  readXml((await office.read('[Content_Types].xml')) ?? '', {
    open: (element, attributes) => {
      const name = attributeOf(attributes, 'PartName') ?? '';
      if (element === 'Override' && name.toLowerCase() === `/${main}`.toLowerCase())
        type = attributeOf(attributes, 'ContentType') ?? '';
    },
  });
  if (/wordprocessingml|ms-word/.test(type)) return 'word';
  if (/presentationml|ms-powerpoint/.test(type)) return 'slides';
  if (/\.sheet\.binary/.test(type)) throw new DocumentError('binary workbooks (xlsb) are not read');
  return /spreadsheetml|ms-excel/.test(type) ? 'sheets' : undefined;
}
