import { gunzipHead } from '../archives/gunzip-head.ts';
import { isTar, readTar } from '../archives/read-tar.ts';
import { bufferSource, readZipDirectory } from '../archives/read-zip.ts';
import { unpackEntry } from '../archives/unpack-entry.ts';
import { clip } from '../../domain/text/text.ts';
import { formatBytes } from '../../domain/text/bytes.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import { DocumentError, type DocumentText } from './common/document-text.ts';
import type { DocumentKind } from './common/extraction.ts';

const { entries: mostEntries, unpacked: mostBytes, name: longestName } = activityLimits.documents;

/** One entry of an archive, unpacked. */
export interface UnpackedEntry {
  name: string;
  bytes: Buffer;
}

/** An archive whose entries were listed: nothing of it is ever written to the disk. */
export interface Archive {
  kind: DocumentKind;
  label: string;
  /** Entries in all, as the archive says. */
  count: number;
  entries: { name: string; note: string; unpack: () => Promise<Buffer> }[];
  notes: string[];
}

export async function openZip(bytes: Buffer): Promise<Archive> {
  const source = bufferSource(bytes);
  const { entries, total } = await readZipDirectory(source, mostEntries);
  return {
    ...{ kind: 'zip', label: 'ZIP archive', count: total, notes: [] },
    entries: entries.map((entry) => ({
      name: entry.name,
      note: entry.encrypted ? `${formatBytes(entry.size)}, encrypted` : formatBytes(entry.size),
      unpack: () => unpackEntry(source, entry, mostBytes),
    })),
  };
}

export function openTar(bytes: Buffer, cutBefore = false): Archive {
  const { entries, cut } = readTar(bytes, mostEntries);
  return {
    ...{ kind: 'tar', label: 'tar archive', count: entries.length },
    notes: cut || cutBefore ? ['Only the beginning of the archive was read: there may be more entries.'] : [],
    entries: entries.map(({ name, kind, size, start }) => ({
      name,
      note: kind === 'file' ? formatBytes(size) : kind,
      unpack: () => {
        if (kind !== 'file') throw new DocumentError(`this entry is not a file: ${kind}`);
        if (start + size > bytes.length) throw new DocumentError('the archive is cut short');
        return Promise.resolve(bytes.subarray(start, start + size));
      },
    })),
  };
}

/** A compressed tar archive is listed; anything else is one entry without a name of its own. */
export async function openGzip(packed: Buffer, name = ''): Promise<Archive> {
  const { bytes, cut } = await gunzipHead(packed, mostBytes);
  if (isTar(bytes)) return { ...openTar(bytes, cut), label: 'compressed tar archive' };
  const inner = name.replace(/^.*\//, '').replace(/\.gz$/i, '') || 'content';
  const note = cut ? `more than ${formatBytes(mostBytes)}` : formatBytes(bytes.length);
  return {
    ...{ kind: 'gzip', label: 'gzip archive', count: 1 },
    notes: cut ? ['Only its beginning was unpacked.'] : [],
    entries: [{ name: inner, note, unpack: () => Promise.resolve(bytes) }],
  };
}

/** Adds one line for each entry. Names are shown, never used: control characters in them are not. */
export function listEntries({ entries, count, notes }: Archive, text: DocumentText): void {
  text.notes.push(...notes);
  if (count > entries.length) text.notes.push(`Only the first ${entries.length} of ${count} entries are listed.`);
  for (const { name, note } of entries) {
    const shown = clip(name.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?'), longestName);
    text.startPart(shown);
    text.add(`${shown} (${note})`);
  }
}

/** The entry of a name. */
export async function unpackNamed({ entries }: Archive, name: string): Promise<UnpackedEntry | undefined> {
  const entry = entries.find((candidate) => candidate.name === name);
  return entry === undefined ? undefined : { name: entry.name, bytes: await entry.unpack() };
}
