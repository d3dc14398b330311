// After `npm ci` in a clone: `npx heddle` finds its program at once, without npm making a package of it first.
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const link = join(root, 'node_modules', '.bin', 'heddle');
mkdirSync(dirname(link), { recursive: true });
rmSync(link, { force: true });
symlinkSync(join('..', '..', 'bin', 'heddle.js'), link);
