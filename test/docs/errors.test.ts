// Every code that a person can meet has an entry in docs/errors.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

test('docs/errors.md explains every error code of the source', () => {
  const text = ['domain', 'workflows', 'activities', 'workers', 'client'].flatMap(sources).join('\n');
  const found = text.matchAll(/(?:code: |code = |refuse\(\s*|problem\(\s*|, )'([A-Z][A-Z]+(?:_[A-Z]+)+)'/g);
  const notCodes =
    /^(HEDDLE|TEMPORAL_CLI|TEMPORAL_UI|XDG|WORKER_SHUTDOWN|KEYWORD|REJECT_DUPLICATE|USE_EXISTING|START_TO)/;
  const codes = new Set([...found].map(([, code]) => code ?? '').filter((code) => !notCodes.test(code)));
  expect(codes.size).toBeGreaterThan(30);
  const documented = readFileSync(join(root, 'docs', 'errors.md'), 'utf8');
  expect([...codes].filter((code) => !documented.includes(`\`${code}\``))).toEqual([]);
});
