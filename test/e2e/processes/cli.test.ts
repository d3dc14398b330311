// Processes on the command line: found by name, refused before anything starts, trusted, retried as they were.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StatusView } from '../../../client/index.ts';
import { Cli, useHome } from '../../support/cli.ts';

const home = useHome();

const machine = (): Cli => new Cli({ HEDDLE_HOME: home() });

const text = `name: greet
description: Write a greeting
mode: strict
goal: Greet {{inputs.who}}
inputs:
  who: { description: Who is greeted }
  file: { type: path, description: Where it is written, default: hello.txt }
phases:
  - id: greet
    executor: { kind: command, run: [sh, -c, 'printf "Hello %s" "$HEDDLE_INPUT_WHO" > "$HEDDLE_INPUT_FILE"; echo written'] }
    deliverables: ['{{inputs.file}}']
    verify: ['test -e allowed']
`;

function addProcess(cli: Cli, name = 'greet', content = text): string {
  const folder = join(cli.cwd, '.heddle', 'processes');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.yaml`);
  writeFileSync(path, content.replace('name: greet', `name: ${name}`));
  return path;
}

interface Refused {
  error: { code: string; hint: string; where: string; problems?: { code: string }[] };
}

async function refusal(cli: Cli, ...args: string[]): Promise<Refused['error'] & { exit: number | null }> {
  const { code, stderr } = await cli.here(...args, '--json');
  return { ...(JSON.parse(stderr) as Refused).error, exit: code };
}

test('a process of a fresh clone does nothing before it is trusted, and does not fall back to the built-in one', async () => {
  const cli = machine();
  const path = addProcess(cli, 'fix-bug');
  expect(await refusal(cli, 'run', '--process', 'fix-bug', '--set', 'who=you')).toMatchObject({
    exit: 2,
    code: 'PROCESS_NOT_TRUSTED',
    where: path,
  });
  expect(existsSync(join(cli.cwd, 'hello.txt'))).toBe(false);
  const listed = await cli.jsonHere<{ name: string; from: string; trusted: boolean }[]>('process', 'list');
  expect(listed.filter(({ name }) => name === 'fix-bug').at(-1)).toMatchObject({ from: 'workspace', trusted: false });
  await cli.here('trust');
  expect(await refusal(cli, 'run', '--process', 'fix-bug')).toMatchObject({ exit: 2, code: 'INPUT_MISSING' });
  writeFileSync(path, `${readFileSync(path, 'utf8')}# changed\n`);
  expect(await refusal(cli, 'run', '--process', 'fix-bug')).toMatchObject({ code: 'PROCESS_NOT_TRUSTED' });
});

test('everything that is wrong with a process or its inputs is refused before anything starts', async () => {
  const cli = machine();
  const path = addProcess(cli);
  await cli.here('trust');
  const run = (...args: string[]) => refusal(cli, 'run', '--process', ...args);
  expect(await run('gret')).toMatchObject({
    exit: 2,
    code: 'PROCESS_NOT_FOUND',
    hint: expect.stringContaining('`greet`') as string,
  });
  expect(await run('../greet.yaml')).toMatchObject({ exit: 2, code: 'PROCESS_NOT_FOUND' });
  const wrong = await run('greet', '--set', 'hwo=a', '--set', 'file=../x');
  expect([wrong.code, wrong.problems?.map(({ code }) => code)]).toEqual([
    'INPUT_INVALID',
    ['INPUT_MISSING', 'INPUT_INVALID', 'INPUT_UNKNOWN'],
  ]);
  expect(await run('greet', '--set', 'who')).toMatchObject({ exit: 2, code: 'USAGE' });
  writeFileSync(
    join(cli.cwd, 'plan.yaml'),
    'goal: g\nsubtasks: [{ id: a, executor: { kind: command, run: ["true"] } }]\n',
  );
  expect(await run('greet', 'plan.yaml')).toMatchObject({ exit: 2, code: 'PROCESS_WITH_SUBTASKS' });
  writeFileSync(join(cli.cwd, 'broken.yaml'), text.replace('greet', 'broken').replace('phases:', 'fases:'));
  expect(await run('broken.yaml')).toMatchObject({
    exit: 2,
    code: 'PROCESS_UNKNOWN_KEY',
    where: expect.stringContaining('broken.yaml:8:1 (fases)') as string,
    hint: 'Rename it to `phases`.',
  });
  writeFileSync(path, text.replace('goal: Greet {{inputs.who}}\n', ''));
  await cli.here('trust');
  expect(await run('greet', '--set', 'who=a')).toMatchObject({ exit: 2, code: 'PROCESS_GOAL_MISSING' });
});

test('a process that is written is trusted, and keeps the trust of its folder', async () => {
  const cli = machine();
  await cli.here('trust');
  const { path } = await cli.jsonHere<{ path: string }>('process', 'new', 'mine');
  const listed = await cli.jsonHere<{ name: string; trusted: boolean; problem: unknown }[]>('process', 'list');
  expect(listed.find(({ name }) => name === 'mine')).toMatchObject({ trusted: true, problem: null });
  expect(await refusal(cli, 'process', 'new', 'mine')).toMatchObject({ exit: 2, code: 'PROCESS_EXISTS', where: path });
  await cli.jsonHere('process', 'new', 'other', '--from', 'mine', '--user');
  expect(await cli.jsonHere('process', 'show', 'other')).toMatchObject({ from: 'user', mode: 'strict', tests: [] });
});

test('a task keeps its process and its values: a retry uses them whatever became of the file', async () => {
  const cli = machine();
  const path = addProcess(cli);
  await cli.here('trust');
  const first = ['run', '--process', 'greet', '--set', 'who=$(touch hacked)', '--id', 'greet-1'];
  expect(await cli.run(...first, '-c', 'ladder=[{ tier = "assigned" }]')).toMatchObject({ code: 1 });
  expect(readFileSync(join(cli.cwd, 'hello.txt'), 'utf8')).toBe('Hello $(touch hacked)');
  expect(existsSync(join(cli.cwd, 'hacked'))).toBe(false);
  rmSync(path);
  writeFileSync(join(cli.cwd, 'allowed'), '');
  const { code, stderr } = await cli.run('retry', 'greet-1');
  expect(code, stderr).toBe(0);
  expect(await cli.json<StatusView>('status', 'greet-1-r2')).toMatchObject({
    goal: 'Greet $(touch hacked)',
    process: { name: 'greet', mode: 'strict' },
    subtasks: [{ id: 'greet', phase: 'greet', state: 'completed' }],
  });
  expect(await cli.run('plan', '--process', 'greet')).toMatchObject({ code: 2 });
});
