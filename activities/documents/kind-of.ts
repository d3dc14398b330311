import { isUtf8 } from 'node:buffer';
import { isTar } from '../archives/read-tar.ts';
import { readHeader } from './read-header.ts';
import { sniffType } from './sniff-type.ts';

/**
 * How a file is read. `office` is one of the three Office formats or any other zip archive: its entries tell, which is found out where it
 * is read. `other` is binary data of which only its type is told.
 */
export type FileKind = 'text' | 'html' | 'pdf' | 'office' | 'tar' | 'gzip' | 'image' | 'other';

export interface FileFacts {
  /** The beginning of the file, or all of it. */
  bytes: Buffer;
  /** Its name: of that only the extension matters, and only for text. */
  name?: string | undefined;
  /** The MIME type that a server gave it. */
  type?: string | undefined;
}

/** Bytes before the beginning of a PDF, which some servers send. */
const pdfWithin = 1_024;

/** Is it read by `extract`? Everything else is text, or is only described. */
export const isDocument = (kind: FileKind): boolean => ['pdf', 'office', 'tar', 'gzip'].includes(kind);

/**
 * Tells the kind of a file. Its first bytes decide what is binary, so that a wrong MIME type or extension changes nothing; for text the MIME
 * type decides, then its beginning, then the extension.
 */
export function kindOf({ bytes, name = '', type = '' }: FileFacts): FileKind {
  const sniffed = sniffType(bytes);
  if (isPdf(bytes)) return 'pdf';
  if (sniffed === 'ZIP archive or office document') return 'office';
  if (sniffed === 'gzip archive') return 'gzip';
  if (readHeader(bytes) !== undefined) return 'image';
  if (sniffed !== undefined) return 'other';
  if (isTar(bytes)) return 'tar';
  if (isBinary(bytes)) return 'other';
  const mime = type.split(';', 1).join('').trim().toLowerCase();
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return 'html';
  // `text/plain` is also what servers send when they do not know.
  if (mime !== '' && mime !== 'text/plain' && mime !== 'application/octet-stream') return 'text';
  const beginning = bytes.toString('latin1', 0, 512);
  if (/^(?:\xef\xbb\xbf)?\s*(?:<!--[^]*?-->\s*)*<(?:!doctype\s+html|html)[\s>]/i.test(beginning)) return 'html';
  return mime === '' && /\.x?html?$/i.test(name) ? 'html' : 'text';
}

/** A PDF may be all letters; a text that only quotes one does not begin so. */
function isPdf(bytes: Buffer): boolean {
  if (/^%PDF-\d/.test(bytes.toString('latin1', 0, 8))) return true;
  return bytes.subarray(0, pdfWithin).includes('%PDF-1.') && (isBinary(bytes) || !isUtf8(bytes));
}

/** UTF-16 has zero bytes too, and says what it is. */
function isBinary(bytes: Buffer): boolean {
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !marked && bytes.includes(0);
}
