import { createReadStream } from 'node:fs';

import { systemCode } from '../system/system-error.ts';

const hashLength = 64;

/** Everything in a text that looks like a reference: nothing is missed because a field is new. */
export function hashesIn(text: string): string[] {
  return [...text.matchAll(/\b[0-9a-f]{64}\b/g)].map(([hash]) => hash);
}

/** The same of a file of any size; none of one that is gone. */
export async function hashesInFile(path: string): Promise<Set<string>> {
  const hashes = new Set<string>();
  let rest = '';
  try {
    for await (const piece of createReadStream(path, 'latin1')) {
      const text = rest + String(piece);
      for (const hash of hashesIn(text)) hashes.add(hash);
      // One more than a hash: the character before it says whether it is one.
      rest = text.slice(-hashLength - 1);
    }
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  return hashes;
}
