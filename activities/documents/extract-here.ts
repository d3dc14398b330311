import { readFileSync } from 'node:fs';
import { nearest } from '../../domain/text/nearest.ts';
import { formatCount } from '../../domain/text/text.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { listEntries, openGzip, openTar, openZip, unpackNamed, type Archive } from './archive.ts';
import { decodeCharset } from './common/decode-charset.ts';
import { DocumentError, DocumentText, untilEnd } from './common/document-text.ts';
import type { Extracted, ExtractJob, Extraction } from './common/extraction.ts';
import { findPrintable } from './find-printable.ts';
import { htmlToMarkdown } from './html/html-to-markdown.ts';
import { kindOf } from './kind-of.ts';
import { readOffice } from './office/read-office.ts';
import { readPdf } from './pdf.ts';
import { readHeader } from './read-header.ts';
import { sniffType } from './sniff-type.ts';

/** Reads a document on this thread, which it may hold for as long as it takes: `extract.ts` runs it where it can be stopped. Never rejects. */
export async function extractHere(job: ExtractJob): Promise<Extracted> {
  try {
    const { source } = job;
    const bytes =
      typeof source === 'string' ? readFileSync(source) : Buffer.from(source.buffer, source.byteOffset, source.length);
    return { end: 'done', ...(await extractBytes(bytes, job, new DocumentText())) };
  } catch (error) {
    if (error instanceof RangeError) return { end: 'failed', reason: 'it is nested too deeply or too large' };
    return { end: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

type Facts = Omit<ExtractJob, 'source'>;

async function extractBytes(bytes: Buffer, facts: Facts, text: DocumentText): Promise<Extraction> {
  const { part } = facts;
  const kind = kindOf({ bytes, ...facts });
  switch (kind) {
    case 'pdf':
      return extractPdf(bytes, part, text);
    case 'office':
      return (await readOffice(bytes, { text, part })) ?? extractArchive(await openZip(bytes), facts, text);
    case 'tar':
      return extractArchive(openTar(bytes), facts, text);
    case 'gzip':
      return extractArchive(await openGzip(bytes, facts.name), facts, text);
    case 'text':
    case 'html':
    case 'image':
    case 'other':
      if (part !== undefined) throw new DocumentError('it has no parts');
  }
  if (kind === 'image' || kind === 'other') return describeBinary(bytes);
  if (kind === 'html') return extractPage(decodeCharset(bytes, facts.type), facts, text);
  await untilEnd(text, () => text.add(decodeCharset(bytes, facts.type).replace(/\r?\n$/, '')));
  return { kind, label: 'text', text: text.toString(), parts: [], notes: text.notes };
}

/** A page as Markdown; its links start from the address that it came from. */
async function extractPage(html: string, { base }: Facts, text: DocumentText): Promise<Extraction> {
  const { title, markdown } = htmlToMarkdown(html, { base, most: activityLimits.documents.text });
  await untilEnd(text, () => text.add(markdown));
  return { kind: 'html', label: 'HTML page', title, text: text.toString(), parts: [], notes: text.notes };
}

async function extractPdf(bytes: Buffer, part: string | undefined, text: DocumentText): Promise<Extraction> {
  const count = await readPdf(bytes, { text, part });
  if (part !== undefined && text.parts.length === 0)
    throw new DocumentError(`there is no page ${part}: it has ${formatCount(count, 'page')}`);
  const { parts, notes } = text;
  return { kind: 'pdf', label: 'PDF document', text: text.toString(), unit: 'page', count, parts, notes };
}

/** The list of an archive, or one entry of it read as the file that it is; archives in archives are listed. */
async function extractArchive(archive: Archive, facts: Facts, text: DocumentText): Promise<Extraction> {
  const { kind, label, count, entries } = archive;
  if (facts.part === undefined) {
    await untilEnd(text, () => listEntries(archive, text));
    const { parts, notes } = text;
    return { kind, label, text: text.toString(), unit: 'entry', count, parts, notes };
  }
  const unpacked = await unpackNamed(archive, facts.part);
  if (unpacked !== undefined) return extractBytes(unpacked.bytes, { name: unpacked.name }, text);
  const names = entries.slice(0, activityLimits.documents.nearNames).map((entry) => entry.name);
  const nearestName = nearest(facts.part, names);
  const hint = nearestName === undefined ? '' : `; did you mean ${nearestName}?`;
  throw new DocumentError(`the archive has no entry of that name${hint}`);
}

/** Describes data without text: its type, and the letters at its beginning. */
function describeBinary(bytes: Buffer): Extraction {
  const label = sniffType(bytes) ?? 'binary data';
  const image = readHeader(bytes);
  if (image !== undefined) return { kind: 'image', label, text: '', parts: [], notes: [], image };
  return { kind: 'other', label, text: findPrintable(bytes), parts: [], notes: [] };
}
