import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { Asset, AssetSource } from '../../client/http/app-parts.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** The built console in memory: it is small, and no path of a request ever reaches the disk. */
export function loadAssets(folder: string): AssetSource {
  const files = new Map<string, Asset>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    const type = types[extname(entry.name)] ?? 'application/octet-stream';
    files.set(path, { body: new Uint8Array(readFileSync(file)), type, immutable: path.startsWith('/assets/') });
  }
  const page = files.get('/index.html');
  if (page === undefined) throw new Error(`${folder} has no index.html`);
  // The document itself is served at the pages' own addresses.
  files.delete('/index.html');
  return { open: (path) => files.get(path), page: () => page.body };
}
