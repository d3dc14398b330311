// The console as browsers load it: small, whole, and without anything that its policy would refuse.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { consoleBundle } from '../../../workers/serve/console-bundle.ts';

/** Bytes of all files but the fonts, gzipped. */
const most = 90_000;

test('the console is at most 90 kB gzipped without its fonts, and holds no inline script or style', async () => {
  const folder = await consoleBundle(tmpdir());
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) !== '');
  const sizes = files
    .filter((name) => extname(name) !== '.woff2')
    .map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).byteLength);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(most);
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style| style=| on\w+=/);
  // Nothing is loaded from elsewhere.
  expect([...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path = '']) => path[0])).toEqual(['/', '/', '/']);
});
