/* `npm run demo`, as the README says it: off a terminal it asks one question, answers it by itself, and leaves only its report page. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';

test('the demo fixes a failing test, asks before a force push, and ends with the fix, a page and the next command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-demo-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = mkdtempSync(join(tmpdir(), 'heddle-demo-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo.ts'], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: {
      ...process.env,
      TMPDIR: folder,
      HEDDLE_HOME: home,
      ANTHROPIC_API_KEY: '',
      OPENAI_API_KEY: 'sk-demo',
      NODE_NO_WARNINGS: '1',
      NODE_COMPILE_CACHE: inject('compiled'),
    },
    timeout: 110_000,
  });
  expect(stdout).toContain('Attempt 2 of fix');
  expect(stdout.match(/^ +\? /gm)).toHaveLength(1);
  expect(stdout).toContain('git push --force origin fix-slugs');
  expect(stdout).toContain('Completed in');
  expect(stdout).toMatch(/^ {2}Cost {6}0\.\d+ USD, [\d,]+ tokens$/m);
  expect(stdout).not.toContain('|');
  expect(stdout).toMatch(/^-.*replace\(' ', '-'\)[^]*^\+.*match\(/m);
  expect(stdout).toMatch(/^ {2}Console {10}http:\/\/127\.0\.0\.1:\d+$/m);
  const page = /kept until the next demo:\n(.*)\n/.exec(stdout)?.[1] ?? '';
  expect(readFileSync(page, 'utf8')).toContain('All three tests pass.');
  const last = stdout.slice(stdout.indexOf('Now your own goal'));
  expect(last).toContain('OPENAI_API_KEY is set');
  expect(existsSync(/^ {2}(\S+) run "Make the tests pass"$/m.exec(last)?.[1] ?? '')).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
}, 120_000);
