// kill -9 of the worker during an execution and of the server during a wait: the task goes on, nothing finished runs again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AttemptView, StatusView } from '../../client/index.ts';
import { alive, Cli, until, useHome } from '../support/cli.ts';
import { linesOf } from '../support/rig.ts';

const home = useHome();
/** A process of its own starts a service that is gone. */
const newCli = (): Cli => new Cli({ HEDDLE_HOME: home() });
const witness = 'echo "$HEDDLE_SUBTASK_ID $HEDDLE_ATTEMPT $HEDDLE_IDEMPOTENCY_KEY $$" >> runs.log';

function writePlan(cli: Cli, subtasks: object[]): void {
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ goal: 'survive', subtasks }));
}

const sh = (script: string): object => ({ kind: 'command', run: ['sh', '-c', `${witness}; ${script}`] });
/** The first run would take for ever; the second one ends at once. */
const endless = sh('[ -e $HEDDLE_SUBTASK_ID ] && { echo two; exit 0; }; touch $HEDDLE_SUBTASK_ID; sleep 600');
const asks = sh('[ $HEDDLE_ATTEMPT = 2 ] && { echo yes; exit 0; }; exit 77');

test('a worker killed in an execution: the same attempt runs again with the same key, what is done stays done; `onCrash: ask` asks first', async () => {
  const cli = newCli();
  const runs = (): string[][] => linesOf(join(cli.cwd, 'runs.log')).map((line) => line.split(' '));
  const runsOf = (id: string): string[][] => runs().filter(([subtask]) => subtask === id);
  writePlan(cli, [
    { id: 'first', executor: sh('echo one') },
    { id: 'second', dependsOn: ['first'], executor: endless },
    { id: 'once', dependsOn: ['first'], executor: { ...endless, onCrash: 'ask' } },
  ]);
  await cli.json('run', 'plan.json', '--id', 'k1', '--detach');
  await until('both subtasks run', () => runs().length === 3);
  const killed = cli.servicePid();
  process.kill(killed, 'SIGKILL');
  await until('the worker is dead', () => !alive(killed));
  expect((await cli.run('watch', 'k1', '--exit-on-decision')).code).toBe(3);
  expect(runsOf('once')).toHaveLength(1);
  await cli.jsonHere('decide', 'k1', 'once-1', 'retry');
  const watched = await cli.here('watch', 'k1', '--json');
  expect(watched.code).toBe(0);
  expect(runsOf('once')).toHaveLength(2);
  const others = runs().filter(([subtask]) => subtask !== 'once');
  expect(others.map(([subtask, attempt, key]) => [subtask, attempt, key])).toEqual([
    ['first', '1', 'k1/first/1'],
    ['second', '1', 'k1/second/1'],
    ['second', '1', 'k1/second/1'],
  ]);
  expect(alive(Number(runsOf('second')[0]?.[3]))).toBe(false);
  const events = watched.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  expect(events.map(({ type }) => type)).toContain('attempt.rerun');
  const { records } = await cli.jsonHere<{ records: AttemptView[] }>('report', 'k1');
  expect(
    records
      .filter(({ subtask }) => subtask !== 'once')
      .map(({ subtask, attempt, reruns, outcome }) => ({ subtask, attempt, reruns, outcome })),
  ).toEqual([
    { subtask: 'first', attempt: 1, reruns: 0, outcome: 'passed' },
    { subtask: 'second', attempt: 1, reruns: 1, outcome: 'passed' },
  ]);
}, 120_000);

test('a server killed during a wait comes back by itself, both killed together come back with the next command, and answers are taken', async () => {
  const cli = newCli();
  writePlan(cli, [
    { id: 'ask', executor: asks },
    { id: 'other', executor: sh('echo other') },
    { id: 'last', dependsOn: ['ask'], executor: asks },
  ]);
  expect((await cli.here('run', 'plan.json', '--id', 'k2', '--exit-on-decision')).code).toBe(3);
  const server = cli.serverPid();
  process.kill(server, 'SIGKILL');
  await until('the server is dead', () => !alive(server));
  await until('another server runs', () => cli.serverPid() !== server && alive(cli.serverPid()));
  const decided = await cli.jsonHere<{ decisionId: string }>('decide', 'k2', 'ask-1', 'retry');
  expect(decided.decisionId).toBe('ask-1');
  expect((await cli.here('watch', 'k2', '--exit-on-decision')).code).toBe(3);

  for (const pid of [cli.servicePid(), cli.serverPid()]) process.kill(pid, 'SIGKILL');
  expect((await cli.json<StatusView>('status', 'k2')).state).toBe('waiting');
  await cli.jsonHere('decide', 'k2', 'last-1', 'retry');
  expect((await cli.here('watch', 'k2')).code).toBe(0);
  expect(
    linesOf(join(cli.cwd, 'runs.log'))
      .map((line) => line.split(' ').slice(0, 2).join(' '))
      .sort(),
  ).toEqual(['ask 1', 'ask 2', 'last 1', 'last 2', 'other 1']);
}, 120_000);
