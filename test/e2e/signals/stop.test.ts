// Ctrl-C, SIGTERM and SIGHUP end `up` and `worker` by a drain, and leave no process behind: on the pinned Node, and on an older one, where
// a launcher stands between. `npm run test:signals` plays each 20 times.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { alive, Cli, until } from '../../support/cli.ts';
import { olderNode } from '../../bin/older-node.ts';

const runs = Number(process.env['HEDDLE_SIGNAL_RUNS'] ?? 1);

const older = olderNode();
const nodes = [[process.execPath], older].map((node) => ({ node, version: versionOf(node) }));

function versionOf([program = '', ...flags]: readonly string[]): string {
  return spawnSync(program, [...flags, '-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim();
}

const ways = [
  ['Ctrl-C', 'SIGINT', 'group'],
  ['SIGTERM to the group', 'SIGTERM', 'group'],
  ['SIGTERM to the process alone', 'SIGTERM', 'process'],
  ['SIGHUP', 'SIGHUP', 'group'],
] as const;

interface Started {
  /** Of the group too: it leads one, as a job of a shell does. */
  pid: number;
  stdout(): string;
  ended: Promise<number | NodeJS.Signals | null>;
}

function start(cli: Cli, node: readonly string[], command: 'up' | 'worker'): Started {
  const [program = '', ...flags] = node;
  const env = { ...cli.env, ...(command === 'worker' ? { TEMPORAL_ADDRESS: inject('temporalAddress') } : {}) };
  const child = spawn(program, [...flags, inject('program'), command, '--json'], {
    cwd: cli.cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal)),
  );
  return { pid: child.pid ?? 0, stdout: () => stdout, ended };
}

/** Everything that runs with this home, or is its Temporal server. */
function processesWith(home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => ['environ', 'cmdline'].some((file) => read(`/proc/${pid}/${file}`).includes(home)))
    .map(Number)
    .filter(alive);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

describe.each(nodes)('on Node $version', ({ node }) => {
  describe.each(['up', 'worker'] as const)('%s', (command) => {
    test.each(ways)(
      'ends by a drain at %s and leaves nothing',
      async (_, signal, target) => {
        for (let run = 1; run <= runs; run++) {
          const cli = new Cli();
          const started = start(cli, node, command);
          await until(`${command} is ready`, () => started.stdout().includes('\n'), 60_000);
          process.kill(target === 'group' ? -started.pid : started.pid, signal);
          expect(await started.ended, `run ${run}`).toBe(0);
          expect(processesWith(cli.home), `run ${run}`).toEqual([]);
        }
      },
      90_000 * runs,
    );
  });
});

/** `up` on an older Node with a program that runs for minutes: its drain lasts. `onChild` is called as soon as the launcher has a child. */
async function startBusy(onChild: (launcher: number) => void = () => undefined): Promise<Started> {
  const cli = new Cli();
  const plan = join(cli.cwd, 'plan.json');
  const run = ['sh', '-c', 'touch started; exec sleep 300'];
  writeFileSync(
    plan,
    JSON.stringify({ goal: 'x', subtasks: [{ id: 'a', description: 'a', executor: { kind: 'command', run } }] }),
  );
  const started = start(cli, older, 'up');
  await until('the launcher has a child', () => read(`/proc/${started.pid}/task/${started.pid}/children`) !== '');
  onChild(started.pid);
  await until('up is ready', () => started.stdout().includes('\n'), 60_000);
  expect((await cli.run('run', plan, '--detach')).code).toBe(0);
  await until('the program runs', () => existsSync(join(cli.cwd, 'started')), 60_000);
  return started;
}

test('a second Ctrl-C, after a moment, ends a drain at once', async () => {
  const started = await startBusy();
  process.kill(-started.pid, 'SIGINT');
  const first = await Promise.race([started.ended, sleep(2_000, 'draining')]);
  expect(first).toBe('draining');
  process.kill(-started.pid, 'SIGINT');
  expect(await started.ended).toBe('SIGINT');
}, 120_000);

test('one Ctrl-C is one request, although a launcher on a busy machine hears of it late', async () => {
  const started = await startBusy((launcher) => process.kill(launcher, 'SIGSTOP'));
  process.kill(-started.pid, 'SIGINT');
  await sleep(1_500);
  process.kill(started.pid, 'SIGCONT');
  expect(await Promise.race([started.ended, sleep(2_000, 'draining')])).toBe('draining');
  process.kill(-started.pid, 'SIGINT');
  expect(await started.ended).toBe('SIGINT');
}, 120_000);

test('a launcher that hears of the end of its terminal late does not kill the worker that is about to end', async () => {
  const cli = new Cli();
  const started = start(cli, older, 'worker');
  await until('the worker is ready', () => started.stdout().includes('\n'), 60_000);
  const [child = ''] = read(`/proc/${started.pid}/task/${started.pid}/children`).split(' ');
  process.kill(started.pid, 'SIGSTOP');
  process.kill(-started.pid, 'SIGHUP');
  // At its end Node closes the channel to the launcher first.
  const channel = `/proc/${child}/fd/3`;
  const latest = Date.now() + 10_000;
  while (existsSync(channel) && Date.now() < latest);
  process.kill(started.pid, 'SIGCONT');
  expect(await started.ended).toBe(0);
}, 60_000);
