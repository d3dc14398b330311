// A closed lid: the local service and its server stand still for longer than a heartbeat may be late, then both go on.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { AttemptView } from '../../client/index.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { alive, Cli, until } from '../support/cli.ts';
import { linesOf } from '../support/rig.ts';

/** Longer than the heartbeat timeout, as issue 10 tells it. */
const stopped = limits.heartbeatTimeout + 5_000;

async function closeLid(cli: Cli): Promise<void> {
  const pids = [cli.servicePid(), cli.serverPid()];
  const wake = (): void => {
    for (const pid of pids) if (alive(pid)) process.kill(pid, 'SIGCONT');
  };
  onTestFinished(wake);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await sleep(stopped);
  wake();
}

test('a program that runs through a stop of service and server runs once, and the task completes', async () => {
  const cli = new Cli();
  const held = 'echo "$HEDDLE_SUBTASK_ID $$" >> runs.log; until [ -e go ]; do sleep 0.1; done; echo done';
  const subtasks = ['a', 'b'].map((id) => ({ id, executor: { kind: 'command', run: ['sh', '-c', held] } }));
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ goal: 'sleep well', subtasks }));
  cli.start('up');
  await until('the service is ready', () => existsSync(join(cli.home, 'run', 'service.json')), 60_000);
  const run = cli.start('run', 'plan.json', '--id', 'lid', '--json');
  const lines = (): string[] => linesOf(join(cli.cwd, 'runs.log'));
  await until('both programs run', () => lines().length === 2);
  const [service, server] = [cli.servicePid(), cli.serverPid()];
  await closeLid(cli);
  // Temporal reacts now to the heartbeats that were missed.
  await sleep(limits.heartbeatTimeout);
  const programs = lines().map((line) => Number(line.split(' ')[1]));
  expect(programs.map(alive)).toEqual([true, true]);
  writeFileSync(join(cli.cwd, 'go'), '');

  const ran = await run.finished;
  expect(ran.code).toBe(0);
  expect(lines()).toHaveLength(2);
  const types = ran.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types).not.toContain('attempt.rerun');
  const { records } = await cli.jsonHere<{ records: AttemptView[] }>('report', 'lid');
  expect(records.map(({ subtask, attempt, reruns, outcome }) => ({ subtask, attempt, reruns, outcome }))).toEqual(
    ['a', 'b'].map((subtask) => ({ subtask, attempt: 1, reruns: 0, outcome: 'passed' })),
  );
  expect([cli.servicePid(), cli.serverPid()]).toEqual([service, server]);
}, 180_000);
