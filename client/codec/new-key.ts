import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { invalid, keyBytes, parseCodecKeys } from './codec-keys.ts';
import { readPrivate } from './read-keys.ts';

/**
 * Puts a new key before all others of a file, which is made when it is missing. The file is replaced in one step, so that no reader sees half
 * of it and a crash loses no key.
 *
 * @throws HeddleError `CODEC_KEYS_INVALID` for a file that holds something else.
 */
export function addNewKey(file: string): { id: string; keys: number } {
  const before = existsSync(file) ? readPrivate(file) : '';
  const ids = before === '' ? [] : parseCodecKeys(before, file).ids();
  const numbers = ids.map((id) => Number(/^k(\d{1,9})$/.exec(id)?.[1] ?? 0));
  const id = `k${Math.max(0, ...numbers) + 1}`;
  const temporary = `${file}.${process.pid}.new`;
  try {
    writeFileSync(temporary, `${id}:${randomBytes(keyBytes).toString('base64')}\n${before}`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw invalid(`The file cannot be written: ${error instanceof Error ? error.message : String(error)}`, file);
  }
  return { id, keys: ids.length + 1 };
}
