import { HeddleError } from '../../domain/errors/heddle-error.ts';

/** Keys by their ids. The first encrypts, all decrypt. */
export interface CodecKeys {
  /** The key that encrypts, with its id. */
  first: { id: string; key: Buffer };
  /** The key of an id, or undefined when it is not there. */
  find(id: string): Buffer | undefined;
  ids(): string[];
}

/** Bytes of a key of AES-256. */
export const keyBytes = 32;

const idForm = /^[A-Za-z0-9._-]{1,64}$/;

/** Parses lines `id:base64`. Empty lines and lines that begin with `#` are comments. */
export function parseCodecKeys(text: string, where: string): CodecKeys {
  const keys = new Map<string, Buffer>();
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const line = written.trim();
    if (line === '' || line.startsWith('#')) continue;
    const colon = line.indexOf(':');
    const id = line.slice(0, Math.max(0, colon));
    const key = Buffer.from(line.slice(colon + 1), 'base64');
    const place = `${where}:${index + 1}`;
    if (!idForm.test(id))
      throw invalid('A line is not `id:base64` with an id of letters, digits, `.`, `_` or `-`', place);
    if (key.length !== keyBytes) throw invalid(`The key ${id} has not ${keyBytes} bytes as base64`, place);
    if (keys.has(id)) throw invalid(`There are two keys ${id}`, place);
    keys.set(id, key);
  }
  const [first] = keys;
  if (first === undefined) throw invalid('There is no key in the file', where);
  return { first: { id: first[0], key: first[1] }, find: (id) => keys.get(id), ids: () => [...keys.keys()] };
}

/** No message holds a part of a key. */
export const invalid = (message: string, where: string): HeddleError =>
  new HeddleError({
    code: 'CODEC_KEYS_INVALID',
    message,
    where,
    hint: 'Make a file with `heddle codec new-key FILE`.',
  });
