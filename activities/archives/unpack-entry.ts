import { constants, inflateRawSync } from 'node:zlib';
import { systemCode } from '../system/system-error.ts';
import { deflated, findZipData, stored, type ByteSource, type ZipEntry } from './read-zip.ts';

/** The content of an entry of at most `most` bytes, whatever the archive promises; more is an error. For archives in memory, in a thread. */
export async function unpackEntry(source: ByteSource, entry: ZipEntry, most: number): Promise<Buffer> {
  if (entry.encrypted) throw new Error('the archive is encrypted');
  if (entry.method !== stored && entry.method !== deflated)
    throw new Error(`an entry is packed in a way that is not read here (${entry.method})`);
  const packed = await source.read(await findZipData(source, entry), entry.packedSize);
  if (entry.method === stored) {
    if (packed.length > most) throw tooLarge(most);
    return packed;
  }
  try {
    return inflateRawSync(packed, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    throw systemCode(error) === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(most)
      : new Error('the archive is damaged', { cause: error });
  }
}

const tooLarge = (most: number): Error => new Error(`it unpacks to more than ${Math.ceil(most / 2 ** 20)} MB`);
