import type { ImageSize } from '../../../domain/conversation/image.ts';
import type { DocumentPart } from './document-text.ts';

/** The kinds of `FileKind`, with the formats of `office` apart. */
export type DocumentKind =
  | 'text'
  | 'html'
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'zip'
  | 'tar'
  | 'gzip'
  | 'image'
  | 'other';

export interface Extraction {
  kind: DocumentKind;
  /** For people and models: `PDF document`. */
  label: string;
  /** The title of a page, where it has one. */
  title?: string;
  /** The text of the document or of the part that was asked for. Parts begin with a heading; an archive is a list of its entries. */
  text: string;
  /** The name of one part, and how many there are; undefined for a kind without parts. */
  unit?: 'page' | 'slide' | 'sheet' | 'entry';
  count?: number;
  /** The parts that are in the text, in its order. */
  parts: DocumentPart[];
  /** Sentences about what is not in the text. */
  notes: string[];
  image?: ImageSize;
}

export interface ExtractJob {
  /** The whole file, or where it lies: a path of our own, never one that somebody else may turn into a link. */
  source: Uint8Array | string;
  name?: string | undefined;
  /** The MIME type, with its charset. */
  type?: string | undefined;
  /** The address that a page came from. */
  base?: string | undefined;
  /** Only this page, slide or sheet, by its number or name; of an archive this entry, read as the file that it is. */
  part?: string | undefined;
}

export type Extracted =
  | ({ end: 'done' } & Extraction)
  /** `reason` is a clause: "it is encrypted with a password". */
  | { end: 'failed'; reason: string };
