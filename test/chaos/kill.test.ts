// kill -9 of the worker during an execution and of the server during a wait: the task goes on, nothing finished runs again.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AttemptView, StatusView } from '../../client/index.ts';
import { alive, Cli, until } from '../support/cli.ts';
import { linesOf } from '../support/rig.ts';

const witness = 'echo "$HEDDLE_SUBTASK_ID $HEDDLE_ATTEMPT $HEDDLE_IDEMPOTENCY_KEY $$" >> runs.log';

function writePlan(cli: Cli, subtasks: object[]): void {
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ goal: 'survive', subtasks }));
}

const sh = (script: string): object => ({ kind: 'command', run: ['sh', '-c', `${witness}; ${script}`] });

test('a worker killed in an execution: the same attempt runs again with the same key, what is done stays done', async () => {
  const cli = new Cli();
  writePlan(cli, [
    { id: 'first', executor: sh('echo one') },
    // The first run would take for ever; the second one ends at once.
    {
      id: 'second',
      dependsOn: ['first'],
      executor: sh('test -e again && { echo two; exit 0; }; touch again; sleep 600'),
    },
  ]);
  await cli.json('run', 'plan.json', '--id', 'k1', '--detach');
  await until('the second subtask runs', () => linesOf(join(cli.cwd, 'runs.log')).length === 2);
  const killed = cli.servicePid();
  process.kill(killed, 'SIGKILL');
  await until('the worker is dead', () => !alive(killed));
  const watched = await cli.run('watch', 'k1', '--json');
  expect(watched.code).toBe(0);
  const runs = linesOf(join(cli.cwd, 'runs.log')).map((line) => line.split(' '));
  expect(runs.map(([subtask, attempt, key]) => [subtask, attempt, key])).toEqual([
    ['first', '1', 'k1/first/1'],
    ['second', '1', 'k1/second/1'],
    ['second', '1', 'k1/second/1'],
  ]);
  const orphan = Number(runs[1]?.[3]);
  expect(alive(orphan)).toBe(false);
  const events = watched.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  expect(events.map(({ type }) => type)).toContain('attempt.rerun');
  const { records } = await cli.json<{ records: AttemptView[] }>('report', 'k1');
  expect(records.map(({ subtask, attempt, reruns, outcome }) => ({ subtask, attempt, reruns, outcome }))).toEqual([
    { subtask: 'first', attempt: 1, reruns: 0, outcome: 'passed' },
    { subtask: 'second', attempt: 1, reruns: 1, outcome: 'passed' },
  ]);
}, 120_000);

test('a server killed during a wait comes back by itself, and the decision sent afterwards is answered', async () => {
  const cli = new Cli();
  writePlan(cli, [
    { id: 'ask', executor: sh('test -e allowed && { echo yes; exit 0; }; touch allowed; exit 77') },
    { id: 'other', executor: sh('echo other') },
  ]);
  const run = await cli.run('run', 'plan.json', '--id', 'k2', '--exit-on-decision');
  expect(run.code).toBe(3);
  const server = cli.serverPid();
  process.kill(server, 'SIGKILL');
  await until('the server is dead', () => !alive(server));
  await until('another server runs', () => cli.serverPid() !== server && alive(cli.serverPid()));
  const decided = await cli.json<{ decisionId: string }>('decide', 'k2', 'ask-1', 'retry');
  expect(decided.decisionId).toBe('ask-1');
  expect((await cli.run('watch', 'k2')).code).toBe(0);
  expect(
    linesOf(join(cli.cwd, 'runs.log'))
      .map((line) => line.split(' ').slice(0, 2).join(' '))
      .sort(),
  ).toEqual(['ask 1', 'ask 2', 'other 1']);
}, 120_000);

test('worker and server killed together during a wait: the next command brings both back', async () => {
  const cli = new Cli();
  writePlan(cli, [{ id: 'ask', executor: sh('test -e allowed && { echo yes; exit 0; }; touch allowed; exit 77') }]);
  expect((await cli.run('run', 'plan.json', '--id', 'k3', '--exit-on-decision')).code).toBe(3);
  const pids = [cli.servicePid(), cli.serverPid()];
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  const status = await cli.json<StatusView>('status', 'k3');
  expect(status.state).toBe('waiting');
  await cli.json('decide', 'k3', 'ask-1', 'retry');
  expect((await cli.run('watch', 'k3')).code).toBe(0);
}, 120_000);

test('onCrash: ask does not run the program again before a person has said so', async () => {
  const cli = new Cli();
  const executor = { ...sh('test -e again && { echo two; exit 0; }; touch again; sleep 600'), onCrash: 'ask' };
  writePlan(cli, [{ id: 'once', executor }]);
  await cli.json('run', 'plan.json', '--id', 'k4', '--detach');
  await until('it runs', () => linesOf(join(cli.cwd, 'runs.log')).length === 1);
  process.kill(cli.servicePid(), 'SIGKILL');
  expect((await cli.run('watch', 'k4', '--exit-on-decision')).code).toBe(3);
  expect(linesOf(join(cli.cwd, 'runs.log'))).toHaveLength(1);
  await cli.json('decide', 'k4', 'once-1', 'retry');
  expect((await cli.run('watch', 'k4')).code).toBe(0);
  expect(linesOf(join(cli.cwd, 'runs.log'))).toHaveLength(2);
}, 120_000);
