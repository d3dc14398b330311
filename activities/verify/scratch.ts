import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runningPaths } from '../home-layout.ts';
import type { AttemptId } from '../home-layout.ts';

/**
 * A folder of this verification alone, beside the traces of its attempt and on the store's own disk, so that output is moved and
 * not copied. What a crash left of an earlier one is removed.
 */
export async function makeScratch(home: string, id: AttemptId): Promise<string> {
  const { folder, stem } = runningPaths(home, id);
  // `~` keeps it apart from every subtask whose id begins like this one's.
  const prefix = `${stem}~verify-`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
  return mkdtemp(join(folder, prefix));
}
