import { getDocumentProxy } from 'unpdf';
import { activityLimits } from '../limits/activity-limits.ts';
import { DocumentError, TextEndError, untilEnd, type DocumentText } from './common/document-text.ts';

/** Reads what is on the page: nothing is run, drawn or fetched. */
const options = {
  isEvalSupported: false,
  useSystemFonts: false,
  disableFontFace: true,
  enableXfa: false,
  verbosity: 0,
};

/** Adds the text of a PDF, page by page, so that a part of it is kept when the time is over. Returns the number of pages. */
export async function readPdf(
  bytes: Uint8Array,
  { text, part }: { text: DocumentText; part?: string | undefined },
): Promise<number> {
  const pdf = await open(bytes);
  try {
    await untilEnd(text, () => addPages(pdf, { text, part }));
    return pdf.numPages;
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function addPages(pdf: Pdf, { text, part }: { text: DocumentText; part?: string | undefined }): Promise<void> {
  const pages = Math.min(pdf.numPages, activityLimits.documents.parts);
  let hasText = false;
  for (let page = 1; page <= pages; page += 1) {
    if (part !== undefined && part !== String(page)) continue;
    text.startPart(String(page));
    text.add(`## Page ${page}`);
    if (await addPage(pdf, page, text)) hasText = true;
  }
  if (!hasText) text.notes.push('There is no text on its pages: they may be scanned images.');
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    // It takes no buffer of Node.
    return await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), options);
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new DocumentError('it is encrypted with a password');
    throw new DocumentError(`it is damaged: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A page that cannot be read is named, and the others are read. Returns whether it has text. */
async function addPage(pdf: Pdf, number: number, text: DocumentText): Promise<boolean> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    let lines = '';
    for (const item of items) if ('str' in item) lines += item.hasEOL ? `${item.str}\n` : item.str;
    page.cleanup();
    const shown = lines.trim();
    if (shown !== '') text.add(shown);
    return shown !== '';
  } catch (error) {
    if (error instanceof TextEndError) throw error;
    text.add(`(This page cannot be read: ${error instanceof Error ? error.message : String(error)})`);
    return true;
  }
}
