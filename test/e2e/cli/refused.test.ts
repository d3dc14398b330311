// The errors of `heddle` where it can start nothing: bad input, no server, a server without a worker.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { Cli, until } from '../../support/cli.ts';
import { codeIn } from './local-server.ts';

const command = (script: string): object => ({ kind: 'command', run: ['sh', '-c', script] });

test('bad input ends in the right code before anything starts', async () => {
  const cli = new Cli({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
  const cyclic = JSON.stringify({ goal: 'g', subtasks: [{ id: 'a', dependsOn: ['a'], executor: command(':') }] });
  const table: [string[], number, string, string?][] = [
    [['run', 'missing.yaml'], 2, 'PLAN_NOT_FOUND'],
    [['run', '-'], 2, 'PLAN_UNKNOWN_KEY', 'goal: g\nsubtask: []\n'],
    [
      ['run', '-'],
      5,
      'TEMPORAL_UNREACHABLE',
      JSON.stringify({ goal: 'g', subtasks: [{ id: 'a', executor: command(':') }] }),
    ],
    [['status', 'x'], 5, 'TEMPORAL_UNREACHABLE'],
    [['frobnicate'], 2, 'USAGE'],
  ];
  for (const [args, code, name, input] of table) {
    const result = await cli.hereWith({ input }, ...args, '--json');
    expect([result.code, codeIn(result.stderr)]).toEqual([code, name]);
  }
  const cycle = await cli.runWithInput(cyclic, 'run', '-', '--json');
  expect([cycle.code, codeIn(cycle.stderr)]).toEqual([2, 'PLAN_CYCLE']);
}, 120_000);

test('with a given server and no worker, run exits 5 before it starts anything, and a worker makes it run', async () => {
  const queue = `elsewhere-${randomUUID()}`;
  const cli = new Cli({ TEMPORAL_ADDRESS: inject('temporalAddress'), HEDDLE_TASK_QUEUE: queue });
  const file = 'plan.json';
  writeFileSync(
    join(cli.cwd, file),
    JSON.stringify({ goal: 'g', subtasks: [{ id: 'a', executor: command('echo a') }] }),
  );
  const refused = await cli.here('run', file, '--json');
  expect([refused.code, codeIn(refused.stderr)]).toEqual([5, 'NO_WORKER']);
  const detached = await cli.jsonHere<{ taskId: string }>('run', file, '--detach');
  const worker = cli.start('worker', '--json');
  await until('the worker is ready', () => worker.stdout().includes(queue), 60_000);
  expect((await cli.here('watch', detached.taskId)).code).toBe(0);
  worker.child.kill('SIGTERM');
  expect((await worker.finished).code).toBe(0);
}, 180_000);

test('a worker that is given no address of a server says so and ends', async () => {
  const cli = new Cli({ TEMPORAL_ADDRESS: '::::' });
  const worker = cli.start('worker', '--json');
  const result = await Promise.race([worker.finished, sleep(20_000, undefined, { ref: false })]);
  worker.child.kill('SIGKILL');
  expect([result?.code, codeIn(result?.stderr ?? '')]).toEqual([5, 'TEMPORAL_UNREACHABLE']);
});
