import { open } from 'node:fs/promises';

import { activityLimits } from '../limits/activity-limits.ts';
import { hashesIn } from './named-hashes.ts';
import { objectFile } from './store-layout.ts';
import { systemCode } from '../system/system-error.ts';

/**
 * Those objects and all that they refer to in turn: a page names results, a result names its output. Each is read once, and only JSON
 * of a page's size, so the work is bounded by what the store holds.
 */
export async function reachable(root: string, from: Iterable<string>): Promise<Set<string>> {
  const hashes = new Set(from);
  // A set goes on over what is added while it is walked.
  for (const hash of hashes) {
    const page = await readPage(objectFile(root, hash));
    if (page !== undefined) for (const inside of hashesIn(page.toString('latin1'))) hashes.add(inside);
  }
  return hashes;
}

/** Undefined for what cannot refer to anything: it is not JSON, too large for a page, or not in this store. */
async function readPage(path: string): Promise<Buffer | undefined> {
  let file;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    if ((await file.stat()).size > activityLimits.referringBytes) return undefined;
    const bytes = await file.readFile();
    return /^\s*[[{]/.test(bytes.toString('latin1', 0, 100)) ? bytes : undefined;
  } finally {
    await file.close();
  }
}
