// Builds the console for a browser: `node scripts/build-console.ts FOLDER`. `npm run build` packs it, and a clone builds it at its first use.
import { join, resolve } from 'node:path';
import { build } from 'vite';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('the folder to write to is missing');
const root = join(import.meta.dirname, '..', 'client', 'console');
await build({
  root,
  configFile: join(root, 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir: resolve(folder), emptyOutDir: true },
});
