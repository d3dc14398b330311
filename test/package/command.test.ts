// `npm i -g` of the packed file, used from a folder that knows nothing of this tree.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { olderNode } from '../bin/older-node.ts';
import { installQuietly, npm } from './npm.ts';

const folder = inject('installFolder');
const prefix = join(folder, 'prefix');
const away = join(folder, 'away');
const installed = join(prefix, 'lib', 'node_modules', '@heddle', 'heddle');
const env = {
  PATH: process.env['PATH'],
  HOME: away,
  HEDDLE_HOME: join(folder, 'home'),
  TEMPORAL_CLI_PATH: inject('temporalProgram'),
};

function heddle(node: readonly [string, ...string[]], ...args: string[]) {
  const [program, ...flags] = node;
  return spawnSync(program, [...flags, join(prefix, 'bin', 'heddle'), ...args], { cwd: away, env, encoding: 'utf8' });
}

beforeAll(() => {
  mkdirSync(away);
  npm([...installQuietly, '--global', '--prefix', prefix, inject('packed').whole], away);
});

test('the package brings its license, pages and examples, and no test', () => {
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs/errors.md', 'examples/hello.yaml']) {
    expect([name, existsSync(join(installed, name))]).toEqual([name, true]);
  }
  expect(existsSync(join(installed, 'test'))).toBe(false);
});

test('the installed command tells its version, from any folder', () => {
  const { status, stdout, stderr } = spawnSync(join(prefix, 'bin', 'heddle'), ['--version'], {
    ...{ cwd: away, encoding: 'utf8' },
    env: { ...env, PATH: `${join(process.execPath, '..')}:${env.PATH ?? ''}` },
  });
  expect([status, stdout, stderr]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/), '']);
});

test('the doctor of the installed command finds a machine that can run tasks', () => {
  const { status, stdout } = heddle([process.execPath], 'doctor', '--json');
  const report = JSON.parse(stdout) as { ok: boolean; checks: { name: string; ok: boolean }[] };
  expect([status, report.ok]).toEqual([0, true]);
  expect(report.checks.map(({ name }) => name)).toContain('temporal program');
});

test('the installed command runs a task in the current folder', () => {
  const plan = join(installed, 'examples', 'hello.yaml');
  const { status, stdout } = heddle([process.execPath], 'run', plan);
  expect(heddle([process.execPath], 'down', '--force').status).toBe(0);
  expect([status, stdout]).toEqual([0, expect.stringContaining('completed')]);
});

test('the exports of the package have types', () => {
  const code = ['', '/workflows', '/activities']
    .map((name, at) => `export * as part${at} from '@heddle/heddle${name}';`)
    .join('\n');
  const file = join(installed, '..', 'program.mts');
  writeFileSync(file, code);
  const require = createRequire(import.meta.url);
  const compiler = join(dirname(require.resolve('typescript-native/package.json')), 'bin', 'tsc');
  const args = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', file];
  expect(spawnSync(process.execPath, [compiler, ...args], { cwd: away, encoding: 'utf8' }).stdout).toBe('');
});

test('on an older Node the command re-executes with the Node that it brings', () => {
  const { status, stdout } = heddle(olderNode(), 'doctor', '--json');
  const { checks } = JSON.parse(stdout) as { checks: object[] };
  expect(status).toBe(0);
  expect(checks).toContainEqual(expect.objectContaining({ name: 'node', ok: true }));
});

test('without that Node the command says which one it needs', () => {
  rmSync(join(installed, 'node_modules', 'node'), { recursive: true });
  const { status, stderr } = heddle(olderNode(), 'doctor', '--json');
  expect([status, JSON.parse(stderr)]).toMatchObject([2, { error: { code: 'NODE_VERSION' } }]);
  expect(heddle([process.execPath], '--version').status).toBe(0);
});
