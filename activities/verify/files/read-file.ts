import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { activityLimits } from '../../limits/activity-limits.ts';
import { systemCode } from '../../system/system-error.ts';
import { kindOfError } from '../../files/resolve-in-workspace.ts';

/** The content of a file or of stdout as the checks see it. */
export type Content =
  | { kind: 'text'; text: string }
  | { kind: 'binary' }
  | { kind: 'too-large' }
  /** Gone since it was seen, not a regular file any more, or not ours to read. */
  | { kind: 'unreadable' };

export interface FileFacts {
  /** 0 for a binary file and for one above the limit. */
  lines: number;
  /** No bytes, or white space only. */
  blank: boolean;
}

const chunkBytes = 256 * 1024;
const newline = 0x0a;
const whiteSpace = new Set([0x09, newline, 0x0b, 0x0c, 0x0d, 0x20]);

/** At most `most` bytes are held in memory, however the file grows meanwhile. */
export async function readFileContent(real: string, most: number): Promise<Content> {
  return (
    (await withRegularFile(real, async (file) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of readChunks(file)) {
        bytes += chunk.length;
        if (bytes > most) return { kind: 'too-large' } as const;
        chunks.push(Buffer.from(chunk));
      }
      return decode(Buffer.concat(chunks));
    })) ?? { kind: 'unreadable' }
  );
}

/** Lines of a file, and whether there is anything in it; reading stops at the limit. */
export async function readFacts(real: string, signal: AbortSignal): Promise<FileFacts | undefined> {
  return withRegularFile(real, async (file) => {
    let [lines, bytes, blank, last] = [0, 0, true, newline];
    for await (const chunk of readChunks(file)) {
      signal.throwIfAborted();
      bytes += chunk.length;
      blank = blank && chunk.every((byte) => whiteSpace.has(byte));
      if (chunk.includes(0) || bytes > activityLimits.maxCountedBytes) return { lines: 0, blank };
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines += 1;
      last = chunk.at(-1) ?? last;
    }
    return { lines: last === newline ? lines : lines + 1, blank };
  });
}

/** Never waits for a writer of a named pipe, never follows a symlink put there since the path was resolved. */
async function withRegularFile<T>(real: string, use: (file: FileHandle) => Promise<T>): Promise<T | undefined> {
  let file: FileHandle;
  try {
    file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (kindOfError(error) !== 'other' || systemCode(error) === 'ENXIO') return undefined;
    throw error;
  }
  try {
    return (await file.stat()).isFile() ? await use(file) : undefined;
  } finally {
    await file.close();
  }
}

/** The buffer is used again for the next chunk. */
async function* readChunks(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  while (true) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** UTF-8, or UTF-16 that says so (spreadsheets export it); anything else with a zero byte is no text. */
function decode(bytes: Buffer): Content {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { kind: 'text', text: new TextDecoder('utf-16le').decode(bytes) };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { kind: 'text', text: new TextDecoder('utf-16be').decode(bytes) };
  if (bytes.includes(0)) return { kind: 'binary' };
  return { kind: 'text', text: new TextDecoder().decode(bytes) };
}
