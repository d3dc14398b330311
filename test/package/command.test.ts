// `npm i -g` of the packed file, used from a folder that knows nothing of this tree.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { olderNode } from '../bin/older-node.ts';

const folder = inject('installFolder');
const prefix = inject('prefix');
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

/** Starts the service where there is no network but the loopback address, and asks for the page and all that it names. */
const offline = `
import { spawn } from 'node:child_process';
const up = spawn(process.execPath, [process.argv[2], 'up', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
const info = JSON.parse(String(await new Promise((resolve) => up.stdout.once('data', resolve))));
const page = await fetch(info.console);
const html = await page.text();
const answers = [[page.status, '/']];
for (const [, path] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
  const file = await fetch(new URL(path, info.console));
  answers.push([file.status, path]);
  if (path.endsWith('.css'))
    for (const [, name] of (await file.text()).matchAll(/url\\(["']?([^"')]+)/g))
      answers.push([(await fetch(new URL(name, new URL(path, info.console)))).status, name]);
}
up.kill('SIGTERM');
await new Promise((resolve) => up.once('exit', resolve));
console.log(JSON.stringify({ external: html.includes('//'), answers }));
`;

test('the installed command serves the console without a network', () => {
  const program = join(folder, 'offline.mjs');
  writeFileSync(program, offline);
  const script = `ip link set lo up && exec "${process.execPath}" "${program}" "${join(prefix, 'bin', 'heddle')}"`;
  const ran = spawnSync('unshare', ['--map-root-user', '--net', 'sh', '-c', script], {
    ...{ cwd: away, encoding: 'utf8' },
    env: { ...env, HEDDLE_HOME: join(folder, 'offline') },
  });
  const { external, answers } = JSON.parse(ran.stdout) as { external: boolean; answers: [number, string][] };
  expect([ran.status, external]).toEqual([0, false]);
  expect(answers.filter(([status]) => status !== 200)).toEqual([]);
  for (const end of ['.js', '.css', '.svg', '.woff2'])
    expect(answers.some(([, path]) => path.endsWith(end))).toBe(true);
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
