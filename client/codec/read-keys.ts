import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { invalid, parseCodecKeys, type CodecKeys } from './codec-keys.ts';

/** Largest file of keys, in bytes: a thousand of them. */
const mostBytes = 128 * 1024;

/**
 * Reads a file of keys, which nobody but its owner may read. An unknown id reads it again when it has changed, so that a process that runs
 * for long knows a key that was added.
 *
 * @throws HeddleError `CODEC_KEYS_INVALID`.
 */
export function readCodecKeys(file: string): CodecKeys {
  let keys = parseCodecKeys(readPrivate(file), file);
  let stamp = readStamp(file);
  const refresh = (): void => {
    const now = readStamp(file);
    if (now === undefined || now === stamp) return;
    stamp = now;
    try {
      keys = parseCodecKeys(readPrivate(file), file);
    } catch {
      // A file that is half written is read again when it changes; the keys so far hold.
    }
  };
  return {
    get first() {
      return keys.first;
    },
    ids: () => keys.ids(),
    find(id) {
      const key = keys.find(id);
      if (key !== undefined) return key;
      refresh();
      return keys.find(id);
    },
  };
}

function readStamp(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}

/** The text of a file that only its owner may read. Bytes and rights are those of one open file. */
export function readPrivate(file: string): string {
  let descriptor: number;
  try {
    // A pipe without a writer does not hold us.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw invalid(`The keys cannot be read: ${error instanceof Error ? error.message : String(error)}`, file);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw invalid('The file of keys is not a regular file', file);
    if (stats.size > mostBytes) throw invalid('The file of keys is too large', file);
    if ((stats.mode & 0o077) !== 0) {
      throw new HeddleError({
        code: 'CODEC_KEYS_INVALID',
        message: 'Others may read the file of keys',
        where: file,
        hint: `chmod 600 ${file}`,
      });
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}
