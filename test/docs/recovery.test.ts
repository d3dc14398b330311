// docs/recovery.md: its settings are settings, its types are types. pages.test.ts follows it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileLayer } from '../../domain/config/layer.ts';
import { failureTypes } from '../../domain/types/basic/failure-types.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'recovery.md'), 'utf8');

test('its settings are accepted, and its types are types', () => {
  const [, settings = ''] = /```toml\n(.*?)```/s.exec(page) ?? [];
  expect(fileLayer({ name: 'heddle.toml', text: settings }).raw).toMatchObject({ maxAttempts: 5 });
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, type]) => type ?? '');
  expect(rows.length).toBeGreaterThan(4);
  expect(rows.filter((type) => !(failureTypes as readonly string[]).includes(type))).toEqual([]);
});
