// docs/troubleshooting.md: its commands run on its failing plan, and show what the page says that they show.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Cli } from '../support/cli.ts';
import { followPage } from '../support/follow-page.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'troubleshooting.md'), 'utf8');

test('the page can be followed, and every step shows what it says', async () => {
  const printed = await followPage(new Cli(), 'troubleshooting.md', ['broken.yaml']);
  const of = (command: string): string => printed.get(`npx heddle ${command}`) ?? '';
  expect(of('status broken')).toContain('blocked: it needs draft, which failed.');
  expect(of('report broken')).toMatch(/## Failed and blocked[^#]*## .*missing-sections/s);
  expect(of('logs broken draft --attempt 1')).toContain('writing');
  expect(of('diff broken draft')).toContain('+# Changes');
  expect(of('watch broken --since 0 --json || test $? -eq 1')).toContain('"type":"task.ended"');

  const [record = {}] = (JSON.parse(of('report broken --json')) as { records: object[] }).records;
  const [, rows = ''] = /Each entry of `records`.*?\n\n(.*?)\n\n/s.exec(page) ?? [];
  const fields = [...rows.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)]);
  expect(fields.length).toBeGreaterThan(15);
  expect(fields.map(([, field = '']) => field).filter((field) => !(field in record))).toEqual([]);
}, 240_000);
