// The command line up to the door of Temporal: arguments, forms of errors, what is refused before anything is started.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { main } from '../../../client/cli/main.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { testPorts } from './shared/support.ts';

interface JsonError {
  error: { code: string; message: string; where?: string; hint?: string; problems?: { code: string; where: string }[] };
}

const errorOf = (stderr: string): JsonError['error'] => (JSON.parse(stderr) as JsonError).error;

const usage: [name: string, argv: string[], message: string, hint: RegExp][] = [
  ['an unknown command', ['stats', 'x'], "Unknown command 'stats'", /Did you mean status\?/],
  ['an unknown option', ['status', 'x', '--sinse'], "Unknown option '--sinse'", /heddle status --help/],
  ['a misspelt option', ['run', 'x', '--detatch'], "Unknown option '--detatch'", /Did you mean --detach\?/],
  ['a missing argument', ['decide', 't', 'd'], "Missing required argument 'option'", /heddle decide --help/],
  ['too many arguments', ['status', 'a', 'b'], 'Too many arguments for', /heddle status --help/],
  ['a number that is none', ['watch', 't', '--since', '-3'], "Option '--since <n>' argument '-3' is invalid", /watch/],
  ['a choice that is none', ['decide', 't', 'd', 'o', '--scope', 'all'], "Option '--scope <scope>'", /decide --help/],
  ['an option without its value', ['run', 'x', '--id'], "Option '--id <id>' argument missing", /heddle run --help/],
];

for (const [name, argv, message, hint] of usage) {
  test(`${name} is a usage error in the form of every other error`, async () => {
    const plain = testPorts();
    expect(await main(argv, plain.ports)).toBe(2);
    expect(plain.stdout()).toBe('');
    expect(plain.stderr()).toMatch(/^error: .+ \(USAGE\)\n {2}hint: .+\n$/);
    const json = testPorts();
    expect(await main([...argv, '--json'], json.ports)).toBe(2);
    const error = errorOf(json.stderr());
    expect(error.code).toBe('USAGE');
    expect(error.message).toContain(message);
    expect(error.hint).toMatch(hint);
  });
}

test('help and version go to stdout and exit 0, as one document with --json', async () => {
  const help = testPorts();
  expect(await main(['--help'], help.ports)).toBe(0);
  for (const command of ['run', 'watch', 'status', 'list', 'inbox', 'decide', 'steer', 'pause', 'resume', 'cancel'])
    expect(help.stdout()).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  for (const command of ['logs', 'evidence', 'artifacts', 'report', 'up', 'down', 'worker', 'doctor'])
    expect(help.stdout()).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  expect(help.stderr()).toBe('');
  const version = testPorts();
  expect(await main(['--version', '--json'], version.ports)).toBe(0);
  expect(JSON.parse(version.stdout())).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string });
  const sub = testPorts();
  expect(await main(['run', '--help', '--json'], sub.ports)).toBe(0);
  expect((JSON.parse(sub.stdout()) as { help: string }).help).toContain('--exit-on-decision');
});

test('no line of the help is wider than 80 columns', async () => {
  for (const command of [[], ['run'], ['decide'], ['prune'], ['memory']]) {
    const { ports, stdout } = testPorts();
    await main([...command, '--help'], ports);
    expect(
      stdout()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
  }
});

test('the help groups commands by what they are for', async () => {
  const { ports, stdout } = testPorts();
  await main(['--help'], ports);
  const groups = stdout()
    .split('\n\n')
    .map((block) => [block.split('\n')[0], [...block.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)] as const);
  expect(Object.fromEntries(groups)).toMatchObject({
    'Run:': ['run', 'plan', 'watch', 'retry'],
    'Look:': ['status', 'list', 'logs', 'evidence', 'artifacts', 'report', 'diff'],
    'Answer and direct:': ['inbox', 'decide', 'steer', 'pause', 'resume', 'cancel', 'undo'],
    'Operate:': expect.arrayContaining(['up', 'down', 'worker', 'doctor']) as string[],
    'Configure:': ['init', 'config', 'trust', 'models', 'tools', 'process', 'memory'],
  });
});

test('no command at all shows the help on stderr and is bad usage', async () => {
  const plain = testPorts();
  expect(await main([], plain.ports)).toBe(2);
  expect(plain.stdout()).toBe('');
  expect(plain.stderr()).toContain('Usage: heddle');
  const json = testPorts();
  expect(await main(['--json'], json.ports)).toBe(2);
  expect(errorOf(json.stderr()).code).toBe('USAGE');
});

test('--json after -- is text, not the option', async () => {
  const { ports, stderr } = testPorts();
  await main(['steer', 'latest', '--', '--json'], ports);
  expect(stderr()).toMatch(/^error: Internal error: connect was not to be called/);
});

test('a bad plan is told with its lines before anything is connected', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'heddle-cli-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, 'p.yaml'), 'goal: g\nsubtasks:\n  - id: a\n    dependOn: [b]\n    verify: 3\n');
  const json = testPorts({ cwd });
  expect(await main(['run', 'p.yaml', '--json'], json.ports)).toBe(2);
  const error = errorOf(json.stderr());
  expect(error.code).toBe('PLAN_INVALID');
  expect(error.problems?.map(({ code, where }) => `${code} ${where.split(' ')[0] ?? ''}`)).toEqual(
    expect.arrayContaining(['PLAN_UNKNOWN_KEY p.yaml:4:5', 'PLAN_WRONG_TYPE p.yaml:5:13']),
  );
  const plain = testPorts({ cwd });
  expect(await main(['run', 'p.yaml'], plain.ports)).toBe(2);
  expect(plain.stderr()).toMatch(/^ {2}- .+\(PLAN_UNKNOWN_KEY\)\n {4}where: p\.yaml:4:5/m);
  expect(plain.stdout()).toBe('');
});

test('a plan comes from stdin as well', async () => {
  const { ports, stderr } = testPorts({ stdin: Readable.from([Buffer.from('{"goal": 3}')]) });
  expect(await main(['run', '-', '--json'], ports)).toBe(2);
  expect(stderr()).toContain('stdin:1:');
});

test.each(['latest', 'a b', '', 'x'.repeat(65), "a'b"])('the id %j is refused before anything is read', async (id) => {
  const { ports, stderr } = testPorts();
  expect(await main(['run', 'missing.yaml', '--id', id, '--json'], ports)).toBe(2);
  expect(errorOf(stderr()).code).toBe('TASK_ID_INVALID');
});

test('a value that is no JSON is bad usage, before anything is connected', async () => {
  const { ports, stderr } = testPorts();
  expect(await main(['decide', 't', 'd-1', 'raise', '--value', '{', '--json'], ports)).toBe(2);
  expect(errorOf(stderr())).toMatchObject({ code: 'USAGE', where: '--value' });
});

test('an error on the way to the server keeps its code, and its exit', async () => {
  const connect = (): never => {
    throw new HeddleError({ code: 'TEMPORAL_UNREACHABLE', message: 'nobody there', hint: 'look' });
  };
  for (const argv of [['list'], ['status', 'x'], ['inbox'], ['pause', 'x'], ['logs', 'x'], ['report', 'x']]) {
    const { ports, stderr } = testPorts({ connect });
    expect(await main([...argv, '--json'], ports)).toBe(5);
    expect(errorOf(stderr())).toEqual({ code: 'TEMPORAL_UNREACHABLE', message: 'nobody there', hint: 'look' });
  }
});

test('an accident is a plain line without a stack, unless the stack is asked for', async () => {
  const connect = (): never => {
    throw new Error('the sky fell');
  };
  const plain = testPorts({ connect });
  expect(await main(['list'], plain.ports)).toBe(1);
  expect(plain.stderr()).toMatch(/^error: Internal error: the sky fell \(INTERNAL\)\n {2}hint: .+\n$/);
  const debug = testPorts({ connect, env: { HEDDLE_DEBUG: '1' } });
  expect(await main(['list'], debug.ports)).toBe(1);
  expect(debug.stderr()).toContain('main.test.ts');
});
