// The client package alone: small, without native modules, and typed for every TypeScript from 5.5 to 7.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { olderNode } from '../bin/older-node.ts';
import { installQuietly, listInstalled, npm } from './npm.ts';

const folder = join(inject('installFolder'), 'client');
const modules = join(folder, 'node_modules');
const oldest = join(inject('installFolder'), 'oldest-typescript');
const require = createRequire(import.meta.url);

/** Largest installation of the client, in bytes. */
const mostBytes = 40 * 1024 ** 2;

const program = `
import { HeddleClient, HeddleError, TaskHandle } from '@heddle/client';
import type { AttemptView, ErrorCode, PlanInput, Report, StatusView } from '@heddle/client';

const plan: PlanInput = {
  goal: 'Say hello',
  budget: { costUsd: 2 },
  subtasks: [{ id: 'hello', tier: 1, executor: { kind: 'command', run: ['echo', 'hello'], timeout: '1m' } }],
};
// @ts-expect-error A goal is a text.
const incomplete: PlanInput = { goal: 7, subtasks: [] };
// @ts-expect-error No key has this name.
const misspelled: PlanInput = { goal: 'x', aproval: 'off' };

export async function main(): Promise<[StatusView, AttemptView[], unknown]> {
  const heddle = await HeddleClient.connect({ address: 'localhost:7233' });
  const task: TaskHandle = await heddle.start(plan);
  for await (const event of task.follow()) console.log(event.text);
  const attempts = await task.attempts();
  // @ts-expect-error A list is no number.
  const wrong: number = attempts;
  return [await task.status(), attempts, [incomplete, misspelled, wrong]];
}

export const codeOf = (error: unknown): ErrorCode | undefined => (error instanceof HeddleError ? error.code : undefined);
export const goalOf = (report: Report): string => report.goal;
`;

beforeAll(() => {
  for (const made of [folder, oldest]) {
    mkdirSync(made);
    writeFileSync(join(made, 'package.json'), '{ "type": "module" }');
  }
  writeFileSync(join(folder, 'program.ts'), program);
  npm([...installQuietly, '--prefix', folder, inject('packed').client], folder);
  npm([...installQuietly, '--prefix', oldest, 'typescript@5.5.4'], oldest);
});

test('the client takes less than 40 MB with all that it depends on', () => {
  const bytes = listInstalled(modules).reduce((sum, file) => sum + file.bytes, 0);
  expect(bytes).toBeGreaterThan(1024 ** 2);
  expect(bytes).toBeLessThan(mostBytes);
});

test('the client brings no native module, worker, core or bundler', () => {
  const paths = listInstalled(modules).map(({ path }) => path.slice(modules.length + 1));
  expect(paths.filter((path) => /\.(?:node|so|dylib|dll|wasm)$/.test(path))).toEqual([]);
  const refused = /^(?:@temporalio\/(?:worker|core-bridge|activity)|webpack|@swc|node|zod|undici)\//;
  expect(paths.filter((path) => refused.test(path))).toEqual([]);
  expect(paths.filter((path) => /^@heddle\/client\/(?:activities|workers)\//.test(path))).toEqual([]);
});

test('the client exports what the whole package does, on an older Node too', async () => {
  const [program, ...flags] = olderNode();
  const print = "import('@heddle/client').then((all) => console.log(Object.keys(all).sort().join()))";
  const ran = spawnSync(program, [...flags, '--eval', print], { cwd: folder, encoding: 'utf8' });
  const whole = Object.keys(await import('../../client/index.ts')).sort();
  expect([ran.stdout.trim(), ran.stderr]).toEqual([whole.join(), '']);
});

test('an editor shows the meaning and the default of a key of a plan', () => {
  const types = readFileSync(join(modules, '@heddle', 'client', 'domain', 'schema', 'plan-schema.d.ts'), 'utf8');
  expect(types).toMatch(
    / \* Attempts after which a person is asked\.\n \*\s\n \* @defaultValue 8\n \*\/\nmaxAttempts\?: number/,
  );
});

const newest = join(dirname(require.resolve('typescript-native/package.json')), 'bin', 'tsc');

const compilers = [
  ['5.5', join(oldest, 'node_modules', 'typescript', 'bin', 'tsc')],
  ['6', join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')],
  ['7', newest],
] as const;

const resolutions = [
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
] as const;

function forProgram(resolution: string, module: string): string[] {
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--types', 'node'];
  return [...strict, '--module', module, '--moduleResolution', resolution, 'program.ts'];
}

const run = (compiler: string, args: string[]): string =>
  spawnSync(process.execPath, [compiler, ...args], { cwd: folder, encoding: 'utf8' }).stdout;

describe.each(compilers)('TypeScript %s', (version, compiler) => {
  const compile = (args: string[]): string => run(compiler, args);

  test.each(resolutions)('takes a program that uses the client, with the resolution %s', (resolution, module) => {
    expect(compile(['--version'])).toContain(`Version ${version}.`);
    expect(compile([...forProgram(resolution, module), '--skipLibCheck'])).toBe('');
  });
});

test.each(resolutions)('our own declarations have no fault, with the resolution %s', (resolution, module) => {
  // Other packages have some.
  const faults = run(newest, forProgram(resolution, module)).split('\n');
  expect(faults.filter((line) => /^program|@heddle/.test(line))).toEqual([]);
});
