// The local service beside other processes: a second worker, `down` while it starts, a full disk under stdout, an empty HOME, many tasks.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, closeSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { alive, Cli, until } from '../../support/cli.ts';
import { startWorkerProcess } from '../../support/worker-process.ts';

const step = (id: string, sh: string, dependsOn: string[] = []) => ({
  id,
  description: id,
  dependsOn,
  executor: { kind: 'command', run: ['sh', '-c', sh] },
});

function plan(cli: Cli, subtasks: readonly object[], more: object = {}): string {
  const file = join(cli.cwd, 'plan.json');
  writeFileSync(file, JSON.stringify({ goal: 'x', ...more, subtasks }));
  return file;
}

test.each(['the same home', 'another home'])(
  'a second worker from %s leaves a task that began before it unharmed',
  async (which) => {
    const cli = new Cli();
    const { temporalAddress } = await cli.json<{ temporalAddress: string }>('up', '--background');
    // More at once than the worker of a workflow task starts by itself: the rest goes to whoever asks the queue first.
    const steps = Array.from({ length: 10 }, (_, at) => step(`s${at + 1}`, `echo s${at + 1}`, ['wait']));
    const wait = step('wait', 'touch waits; until test -e go; do sleep 0.1; done; echo gone');
    const file = plan(cli, [wait, ...steps], { maxParallelSubtasks: 10 });
    await cli.json('run', file, '--id', 'first', '--detach');
    await until('it waits', () => existsSync(join(cli.cwd, 'waits')));
    const home = which === 'the same home' ? cli.home : join(cli.cwd, 'other-home');
    const host = which === 'the same home' ? {} : { HEDDLE_HOST: 'other' };
    await startWorkerProcess({ HEDDLE_HOME: home, TEMPORAL_ADDRESS: temporalAddress, ...host });
    writeFileSync(join(cli.cwd, 'go'), '');
    const began = Date.now();
    expect((await cli.run('watch', 'first')).code).toBe(0);
    expect(Date.now() - began).toBeLessThan(25_000);
    expect((await cli.run('run', plan(cli, [step('a', 'echo later')]), '--id', 'second')).code).toBe(0);
  },
  120_000,
);

test('a full disk under stdout is exit 1, with what happened on stderr', () => {
  const cli = new Cli();
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  for (const args of [['config'], ['--help']]) {
    const { status, stderr } = spawnSync(process.execPath, [inject('program'), ...args], {
      cwd: cli.cwd,
      env: cli.env,
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('OUTPUT_NOT_WRITTEN')]);
  }
});

test('a reader that goes away is no failure', () => {
  const cli = new Cli();
  // The other end of the pipe is closed before anything is written.
  const script = `{ sleep 0.5; '${process.execPath}' '${inject('program')}' config; echo $? >&2; } | :`;
  const { stderr } = spawnSync('sh', ['-c', script], { cwd: cli.cwd, env: cli.env, encoding: 'utf8' });
  expect(stderr.trim()).toBe('0');
});

test('down while the service starts waits for it and ends it', async () => {
  const cli = new Cli();
  const starting = spawn(process.execPath, [inject('program'), 'up', '--background', '--json'], {
    cwd: cli.cwd,
    env: cli.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let shown = '';
  starting.stdout.on('data', (data: Buffer) => (shown += data.toString()));
  const started = new Promise((resolve) => starting.on('close', resolve));
  const logs = join(cli.home, 'logs');
  await until(
    'it is being started',
    () => existsSync(logs) && readdirSync(logs).some((name) => name.startsWith('start-')),
    30_000,
    5,
  );
  expect(JSON.parse((await cli.run('down', '--json')).stdout)).toEqual({ stopped: true });
  expect(await started).toBe(0);
  const { pid } = JSON.parse(shown) as { pid: number };
  expect(alive(pid)).toBe(false);
}, 120_000);

test("an empty HOME does not make the current folder's config the user's", async () => {
  const cli = new Cli({ HOME: '', XDG_CONFIG_HOME: '' });
  mkdirSync(join(cli.cwd, '.config', 'heddle'), { recursive: true });
  writeFileSync(join(cli.cwd, '.config', 'heddle', 'heddle.toml'), 'maxParallelSubtasks = 3\n');
  const { stdout } = await cli.run('config');
  expect(stdout).toMatch(/^user file: \/.*/);
  expect(stdout).toMatch(/^maxParallelSubtasks +default /m);
});

test('tasks leave no open files in the Temporal server', async () => {
  const cli = new Cli();
  await cli.json('up', '--background');
  const open = (): number => readdirSync(`/proc/${cli.serverPid()}/fd`).length;
  const file = plan(cli, [step('a', 'echo a')]);
  for (const id of ['w1', 'w2']) expect((await cli.run('run', file, '--id', id)).code).toBe(0);
  const before = open();
  for (let at = 1; at <= 8; at++) expect((await cli.here('run', file, '--id', `t${at}`)).code).toBe(0);
  expect(open() - before).toBeLessThan(8);
}, 120_000);
