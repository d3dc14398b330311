// docs/recovery.md: its commands run, its plan recovers and is resumed as it says, its settings are settings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileLayer } from '../../domain/config/layer.ts';
import { failureTypes } from '../../domain/model/failure-types.ts';
import { Cli } from '../support/cli.ts';
import { followPage } from '../support/follow-page.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'recovery.md'), 'utf8');

test('the page can be followed: one subtask recovers, one fails, a retry reuses what is finished', async () => {
  const printed = await followPage(new Cli(), 'recovery.md', ['recovery.yaml']);
  const report = printed.get('npx heddle report notes') ?? '';
  expect(report).toMatch(/## Recovered subtasks[^#]*\| build \|/);
  expect(report).toMatch(/## Failed and blocked[^#]*\| check \|/);
  const plan = printed.get('npx heddle retry notes --dry-run') ?? '';
  expect(plan).toContain('reused: design and build');
  expect(plan).toContain('runs:   check (it was not completed)');
}, 240_000);

test('its settings are accepted, and its types are types', () => {
  const [, settings = ''] = /```toml\n(.*?)```/s.exec(page) ?? [];
  expect(fileLayer({ name: 'heddle.toml', text: settings }).raw).toMatchObject({ maxAttempts: 5 });
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, type]) => type ?? '');
  expect(rows.length).toBeGreaterThan(4);
  expect(rows.filter((type) => !(failureTypes as readonly string[]).includes(type))).toEqual([]);
});
