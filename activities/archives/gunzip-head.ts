import { createGunzip } from 'node:zlib';

/** Unpacks gzip data up to `most` bytes, and no further, whatever it would unpack to. A damaged end is as good as a missing one. */
export async function gunzipHead(packed: Buffer, most: number): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let left = most;
  const unpacking = createGunzip({ chunkSize: 256 * 1024 });
  unpacking.end(packed);
  try {
    for await (const chunk of unpacking) {
      if (!Buffer.isBuffer(chunk)) continue;
      chunks.push(chunk.subarray(0, left));
      left -= chunk.length;
      if (left < 0) return { bytes: Buffer.concat(chunks), cut: true };
    }
  } catch (error) {
    if (chunks.length === 0) throw new Error('the archive is damaged', { cause: error });
    return { bytes: Buffer.concat(chunks), cut: true };
  }
  return { bytes: Buffer.concat(chunks), cut: false };
}
