import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat, type FileHandle } from 'node:fs/promises';

import type { Ref } from '../../domain/types/basic/ref.ts';

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Hash and size of a file, read in pieces: its size does not matter. */
export const hashFile = (path: string | Buffer): Promise<Ref> =>
  hashStream(createReadStream(path, { highWaterMark: 256 * 1024 }));

/** The same of an open file, which stays open: what is read from it afterwards is what was hashed, even if its name is removed. */
export const hashOpenFile = (file: FileHandle): Promise<Ref> =>
  hashStream(file.createReadStream({ highWaterMark: 256 * 1024, start: 0, autoClose: false }));

async function hashStream(stream: AsyncIterable<unknown>): Promise<Ref> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Read in pieces too; files of different size are not read at all. */
export async function haveSameBytes(one: Buffer, other: Buffer): Promise<boolean> {
  if ((await stat(one)).size !== (await stat(other)).size) return false;
  return (await hashFile(one)).sha256 === (await hashFile(other)).sha256;
}
