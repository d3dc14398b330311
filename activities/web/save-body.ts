import { open } from 'node:fs/promises';

/** A body is longer than may be kept. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** Writes a body into a new file and counts its bytes, unpacked. A longer one is not kept: nobody knows how long it goes on. */
export async function saveBody(body: AsyncIterable<Uint8Array> | null, path: string, most: number): Promise<number> {
  const file = await open(path, 'w', 0o600);
  let bytes = 0;
  try {
    for await (const piece of body ?? []) {
      bytes += piece.byteLength;
      if (bytes > most) throw new BodyTooLargeError();
      await file.write(piece);
    }
    return bytes;
  } finally {
    await file.close();
  }
}
