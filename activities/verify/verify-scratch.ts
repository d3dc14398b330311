import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptPaths } from '../home/home-layout.ts';

/**
 * A folder of this verification alone, beside the traces of its attempt and on the store's own disk, so that output is moved and
 * not copied. What a crash left of an earlier one is removed.
 */
export async function makeScratch({ folder, own }: AttemptPaths): Promise<string> {
  // `~` keeps it apart from every subtask whose id begins like this one's.
  const prefix = `${own}~verify-`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
  return mkdtemp(join(folder, prefix));
}
