import { cp, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

import { syncFolder, syncTree } from '../../system/durable-file.ts';

/** Copies a file or folder as it is, and has it on the disk when it returns. */
export async function copyPlain(from: string, to: string, deadline: number): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { recursive: true, force: true, verbatimSymlinks: true });
  await syncTree(to, deadline);
  await syncFolder(dirname(to));
}
