// A command line meets a service, or a home, of another version of Heddle: it starts an idle service again, refuses any other by a code of
// its own, and can still cancel and stop.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { alive, Cli, until, type Finished } from '../../support/cli.ts';

/** The package as a version before this one had it: what counts is that its version and its code differ. */
function otherPackage(): string {
  const current = dirname(dirname(inject('program')));
  // Beside the one of these tests, as it finds its dependencies there.
  const folder = mkdtempSync(join(dirname(dirname(dirname(current))), 'heddle-other-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const made = join(folder, 'node_modules', 'heddle');
  cpSync(current, made, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8')) as object;
  writeFileSync(join(made, 'package.json'), JSON.stringify({ ...manifest, version: '0.0.9' }));
  writeFileSync(join(made, 'dist', 'workers', 'program', 'code-hash'), '0123456789abcdef');
  return join(made, 'bin', 'heddle.js');
}

/** A command of the other version. */
function runOther(cli: Cli, program: string, ...args: string[]): Promise<Finished> {
  const child = spawn(process.execPath, [program, ...args], { cwd: cli.cwd, env: cli.env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  child.stdin.end();
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

/** A task that stays open until there is a file `go`. */
function waitingPlan(cli: Cli): string {
  const file = join(cli.cwd, 'plan.json');
  const run = ['sh', '-c', 'touch waits; until test -e go; do sleep 0.1; done; echo gone'];
  const subtasks = [{ id: 'a', description: 'a', executor: { kind: 'command', run } }];
  writeFileSync(file, JSON.stringify({ goal: 'x', subtasks }));
  return file;
}

const recordOf = (cli: Cli): Record<string, unknown> =>
  JSON.parse(readFileSync(join(cli.home, 'run', 'service.json'), 'utf8')) as Record<string, unknown>;

const codeOf = ({ stderr }: Finished): unknown => (JSON.parse(stderr) as { error: { code: string } }).error.code;

async function openTask(cli: Cli, program: string): Promise<void> {
  expect((await runOther(cli, program, 'run', waitingPlan(cli), '--id', 'open', '--detach')).code).toBe(0);
  await until('the program waits', () => existsSync(join(cli.cwd, 'waits')));
}

test('an idle service of another version is started again', async () => {
  const cli = new Cli();
  expect((await runOther(cli, otherPackage(), 'up', '--background')).code).toBe(0);
  const before = recordOf(cli);
  expect(before).toMatchObject({ version: '0.0.9', background: true });
  expect((await cli.run('list')).code).toBe(0);
  expect(recordOf(cli)['pid']).not.toBe(before['pid']);
  expect(alive(Number(before['pid']))).toBe(false);
  const { pid } = recordOf(cli);
  expect((await cli.run('list')).code).toBe(0);
  expect(recordOf(cli)['pid']).toBe(pid);
}, 120_000);

test('a service that does not tell its version counts as another one', async () => {
  const cli = new Cli();
  await cli.json('up', '--background');
  const { version: _, code: __, background: ___, ...silent } = recordOf(cli);
  writeFileSync(join(cli.home, 'run', 'service.json'), JSON.stringify(silent));
  expect((await cli.run('list')).code).toBe(0);
  expect(recordOf(cli)['pid']).not.toBe(silent['pid']);
}, 120_000);

test('a service of another version with an open task is refused, which a cancel ends', async () => {
  const cli = new Cli();
  const other = otherPackage();
  await openTask(cli, other);
  const service = recordOf(cli);
  for (const args of [['status', 'open'], ['list'], ['up', '--background'], ['up'], ['worker']]) {
    const refused = await cli.run(...args, '--json');
    expect([args, refused.code, codeOf(refused)]).toEqual([args, 5, 'SERVICE_OUTDATED']);
  }
  expect((await cli.run('status', 'open')).stderr).toContain('1 task is open');
  expect(recordOf(cli)).toEqual(service);
  expect(await cli.json('cancel', 'open')).toMatchObject({ taskId: 'open', state: 'cancelling' });
  await until('the task has ended', async () => (await cli.run('status', 'open')).code === 0, 60_000);
  expect(await cli.json('status', 'open')).toMatchObject({ state: 'cancelled' });
}, 180_000);

test('a forced stop of a service of another version lets its task go on in this one', async () => {
  const cli = new Cli();
  await openTask(cli, otherPackage());
  expect((await cli.run('down')).code).toBe(1);
  expect(await cli.json('down', '--force')).toEqual({ stopped: true });
  writeFileSync(join(cli.cwd, 'go'), '');
  expect((await cli.run('watch', 'open')).code).toBe(0);
  expect(recordOf(cli)['version']).not.toBe('0.0.9');
}, 180_000);

test('a service of another version that somebody runs by `up` is not stopped', async () => {
  const cli = new Cli();
  const up = spawn(process.execPath, [otherPackage(), 'up', '--json'], { cwd: cli.cwd, env: cli.env, stdio: 'ignore' });
  const ended = new Promise((resolve) => up.on('close', resolve));
  await until('it is ready', () => existsSync(join(cli.home, 'run', 'service.json')), 60_000);
  const refused = await cli.run('list', '--json');
  expect([refused.code, codeOf(refused)]).toEqual([5, 'SERVICE_OUTDATED']);
  expect(refused.stderr).toContain(`process ${up.pid}`);
  expect(await cli.json('down')).toEqual({ stopped: true });
  expect(await ended).toBe(0);
}, 120_000);

test('a service whose record cannot be read is refused at once, and can be stopped', async () => {
  const cli = new Cli();
  await cli.json('up', '--background');
  const { pid, startTime } = recordOf(cli);
  writeFileSync(join(cli.home, 'run', 'service.json'), JSON.stringify({ pid, startTime, endpoints: ['tcp://x'] }));
  for (const args of [['list'], ['down']]) {
    const refused = await cli.run(...args, '--json');
    expect([args, refused.code, codeOf(refused)]).toEqual([args, 5, 'SERVICE_OUTDATED']);
  }
  expect(await cli.json('down', '--force')).toEqual({ stopped: true });
  expect(alive(Number(pid))).toBe(false);
}, 120_000);

test('a home of another version is refused, except for cancel and a forced down', async () => {
  const cli = new Cli();
  const file = waitingPlan(cli);
  expect((await cli.run('run', file, '--id', 'open', '--detach')).code).toBe(0);
  await until('the program waits', () => existsSync(join(cli.cwd, 'waits')));
  const noteFile = join(cli.home, 'home.json');
  expect(JSON.parse(readFileSync(noteFile, 'utf8'))).toEqual({ version: 2 });
  const note = '{"version":1}';
  writeFileSync(noteFile, note);
  for (const args of [['list'], ['status', 'open'], ['run', file], ['prune'], ['up'], ['worker'], ['trust']]) {
    const refused = await cli.run(...args, '--json');
    expect([args, refused.code, codeOf(refused)]).toEqual([args, 2, 'HOME_VERSION']);
  }
  expect((await cli.run('doctor')).stdout).toContain('✗ home');
  expect((await cli.run('cancel', 'open')).code).toBe(0);
  expect(await cli.json('down', '--force')).toEqual({ stopped: true });
  const stopped = await cli.run('cancel', 'open', '--json');
  expect([stopped.code, codeOf(stopped)]).toEqual([2, 'HOME_VERSION']);
  expect(readFileSync(noteFile, 'utf8')).toBe(note);
  writeFileSync(noteFile, '{"version":2}');
  await until('the task has ended', async () =>
    (await cli.run('status', 'open', '--json')).stdout.includes('"cancelled"'),
  );
}, 180_000);
