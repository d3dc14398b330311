// docs/api.md carries what the comments of exported names say, whole.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'api.md'), 'utf8');

test('the text behind a link of @throws is on the page', () => {
  expect(page).toMatch(/Throws `HeddleError` `TEMPORAL_UNREACHABLE` where /);
  expect(page).not.toMatch(/Throws \{/);
});
