import { readFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { ShadowRepository } from '../git/shadow-repository.ts';

/** Changes with every start of the machine; empty where the system does not tell. */
export function currentBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/**
 * Git does not wait for the disk with every object, so the last ones before a power cut may be empty files. They are removed, and the
 * index with them: the next snapshot then takes every file in again, and with it what was lost.
 */
export async function healAfterReboot(repository: ShadowRepository): Promise<void> {
  const objects = join(repository.gitDir, 'objects');
  for (const folder of (await readdir(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    for (const name of await readdir(join(objects, folder))) {
      const path = join(objects, folder, name);
      if ((await stat(path)).size === 0) await rm(path, { force: true });
    }
  }
  await rm(repository.index, { force: true });
}
