// A test that passes on its second try: the run says what it failed with, and the seed with which it fails again.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const reporter = join(root, 'test', 'support', 'vitest', 'retry-reporter.ts');

const flaky = `
import fc from '${fileURLToPath(import.meta.resolve('fast-check'))}';
import { describe, expect, test } from '${fileURLToPath(import.meta.resolve('vitest'))}';
let tries = 0;
describe('a property', () => {
  test('of small numbers', () => {
    tries += 1;
    const most = tries === 1 ? 10 : Infinity;
    fc.assert(fc.property(fc.nat(), (number) => { expect(number).toBeLessThan(most); }), { seed: 42 });
  });
});
test('nothing', () => undefined);
`;

test('the first error of a test that passed on retry is printed with its seed; one that passed at once is not named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-retry-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'flaky.test.ts'), flaky);
  const args = [vitest, 'run', '--root', folder, '--retry', '1', '--reporter', 'default', '--reporter', reporter];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  expect(stdout).toContain('Passed on retry: 1.');
  expect(stdout).toContain('flaky.test.ts > a property > of small numbers');
  expect(stdout).toContain('seed: 42');
  expect(stdout).toContain('expected 10 to be less than 10');
  expect(stdout).not.toContain('> nothing');
});
