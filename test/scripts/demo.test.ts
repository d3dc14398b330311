/* `npm run demo`, as the README says it: off a terminal it asks one question, answers it by itself, and leaves nothing behind. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test, onTestFinished } from 'vitest';

test('fixes a failing test at the second try, asks before a force push, and shows what it cost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-demo-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo.ts'], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { ...process.env, TMPDIR: folder, NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: inject('compiled') },
    timeout: 110_000,
  });
  expect(stdout).toContain('Attempt 2 of fix');
  expect(stdout.match(/^ +\? /gm)).toHaveLength(1);
  expect(stdout).toContain('git push --force origin fix-slugs');
  expect(stdout).toContain('Completed in');
  expect(stdout).toMatch(/\| Cost \| 0\.\d+ USD, [\d,]+ tokens \|/);
  expect(readdirSync(folder)).toEqual([]);
}, 120_000);
