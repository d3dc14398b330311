/** Bytes that may be read at any position: a file, or a buffer in memory. */
export interface ByteSource {
  size: number;
  /** Rejects when there are fewer. */
  read(position: number, length: number): Promise<Buffer>;
}

export interface ZipEntry {
  /** As the archive has it: it may be absolute, climb with `..`, or hold any character. Never a path of ours. */
  name: string;
  /** 0 stored, 8 deflated. */
  method: number;
  encrypted: boolean;
  packedSize: number;
  /** The size that the archive promises; it may lie. */
  size: number;
  headerOffset: number;
}

export const stored = 0;
export const deflated = 8;

const endOfDirectory = { signature: 0x06054b50, size: 22, longestComment: 0xffff };
const directoryEntry = { signature: 0x02014b50, size: 46 };
const localHeader = { signature: 0x04034b50, size: 30 };
const encryptedFlag = 1;

/** The entries of a zip archive, of which `most` are read; `total` is the number that it names. Archives above 4 GB are not read. */
export async function readZipDirectory(
  source: ByteSource,
  most = Infinity,
): Promise<{ entries: ZipEntry[]; total: number }> {
  const end = await findEndOfDirectory(source);
  const total = end.readUInt16LE(10);
  const directory = await source.read(end.readUInt32LE(16), end.readUInt32LE(12));
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < Math.min(total, most);) {
    if (at + directoryEntry.size > directory.length || directory.readUInt32LE(at) !== directoryEntry.signature)
      throw new Error('the archive is damaged');
    const nameEnd = at + directoryEntry.size + directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('utf8', at + directoryEntry.size, nameEnd),
      method: directory.readUInt16LE(at + 10),
      encrypted: (directory.readUInt16LE(at + 8) & encryptedFlag) !== 0,
      packedSize: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      headerOffset: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return { entries, total };
}

/** The position of the first packed byte of an entry: its own header may have another length than the directory says. */
export async function findZipData(source: ByteSource, { headerOffset }: ZipEntry): Promise<number> {
  const header = await source.read(headerOffset, localHeader.size);
  if (header.readUInt32LE(0) !== localHeader.signature) throw new Error('the archive is damaged');
  return headerOffset + localHeader.size + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/** The directory is at the end, found by its own trailer. */
async function findEndOfDirectory(source: ByteSource): Promise<Buffer> {
  const tailSize = Math.min(source.size, endOfDirectory.size + endOfDirectory.longestComment);
  const tail = await source.read(source.size - tailSize, tailSize);
  const signature = Buffer.alloc(4);
  signature.writeUInt32LE(endOfDirectory.signature);
  const at = tail.lastIndexOf(signature);
  if (at < 0 || at + endOfDirectory.size > tail.length) throw new Error('this is not a zip archive');
  return tail.subarray(at, at + endOfDirectory.size);
}

/** A buffer as a source. */
export const bufferSource = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read: (position, length) =>
    position + length > bytes.length
      ? Promise.reject(new Error('the archive is cut short'))
      : Promise.resolve(bytes.subarray(position, position + length)),
});
