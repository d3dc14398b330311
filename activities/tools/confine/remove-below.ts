import { readdir, rmdir, unlink } from 'node:fs/promises';
import { systemCode } from '../../system/system-error.ts';
import type { HeldFolder } from './held-folder.ts';

/**
 * Removes all that is in a folder. Each folder inside is opened as what it is and emptied through its handle: a folder that is swapped for a link meanwhile is removed as a link, and what the link points to stays. Names are bytes.
 */
export async function emptyFolder(folder: HeldFolder, signal: AbortSignal): Promise<void> {
  for (const entry of await readdir(folder.path, { withFileTypes: true, encoding: 'buffer' })) {
    signal.throwIfAborted();
    if (entry.isDirectory()) await removeInside(folder, entry.name, signal);
    else await unlink(folder.at(entry.name));
  }
}

async function removeInside(folder: HeldFolder, name: Buffer, signal: AbortSignal): Promise<void> {
  const inside = await folder.openInside(name).catch((error: unknown) => {
    if (systemCode(error) === 'ELOOP' || systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  });
  if (inside === undefined) return unlink(folder.at(name));
  try {
    await emptyFolder(inside, signal);
  } finally {
    await inside.close();
  }
  await rmdir(folder.at(name));
}
