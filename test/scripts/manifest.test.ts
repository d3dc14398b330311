// The promises of package.json and its lockfile to npm. `npm run test:package` installs the packed files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));

test('the packed files are program, pages and examples with their license, and nothing of the tests', () => {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    ...{ cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  });
  const [packed] = JSON.parse(printed) as { name: string; files: { path: string }[] }[];
  const paths = packed?.files.map(({ path }) => path) ?? [];
  expect(packed?.name).toBe('@heddle/heddle');
  for (const path of ['LICENSE', 'README.md', 'bin/heddle.js', 'docs/errors.md', 'examples/hello.yaml']) {
    expect(paths).toContain(path);
  }
  const folders = new Set(paths.filter((path) => path.includes('/')).map((path) => path.split('/')[0]));
  folders.delete('dist');
  expect([...folders].sort()).toEqual(['bin', 'docs', 'examples']);
});

test('the lockfile knows the package by its name, and no address', () => {
  expect(read('package-lock.json')).toMatchObject({
    name: '@heddle/heddle',
    packages: { '': { name: '@heddle/heddle' } },
  });
  expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "https?:/);
});

test('the Node that the package brings is optional, and one that it supports', () => {
  const { optionalDependencies, engines } = read('package.json') as Record<string, { node: string }>;
  expect(optionalDependencies?.node).toMatch(/^24\./);
  expect(engines?.node).toContain('>=24.0.0');
});
