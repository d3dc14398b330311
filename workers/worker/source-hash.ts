import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Every Node that we support runs this target as it is written: the SDK's own choice is of 2017 and makes a call of every spread. */
export const bundleTarget = 'es2022';

/** Names the workflow code of a clone, and all that it depends on: every change of it makes another one. */
export function sourceHash(): string {
  const hash = createHash('sha256');
  const require = createRequire(import.meta.url);
  const sdk: unknown = require('@temporalio/worker/package.json');
  hash.update(JSON.stringify([sdk, bundleTarget]));
  for (const room of ['domain', 'workflows']) {
    const entries = readdirSync(join(root, room), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const file of files.sort()) hash.update(`${relative(root, file)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}
