// A task that Temporal ended, by somebody's hand or by a time limit: every command says so, and it can be retried and undone.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InboxItem, StatusView, TaskListing } from '../../../client/index.ts';
import type { TaskDiff, UndoAnswer } from '../../../domain/types/basic/workspace.ts';
import { alive, Cli, until, useSharedHome } from '../../support/cli.ts';
import { linesOf } from '../../support/rig.ts';
import { codeIn, temporalOf } from './local-server.ts';

const home = useSharedHome();

/** Outside the workspace: it is none of the files that a task changes. */
const outside = (cli: Cli, name: string): string => join(cli.cwd, '..', name);
const runs = (cli: Cli): string[] => linesOf(outside(cli, 'runs.log'));
const command = (cli: Cli, script: string): object => ({
  kind: 'command',
  run: ['sh', '-c', `echo "$HEDDLE_SUBTASK_ID $$" >> ${outside(cli, 'runs.log')}; ${script}`],
});
const namesIn = (lines: string[]): string[] => lines.map((line) => line.split(' ')[0] ?? '');
const pidOf = (lines: string[], name: string): number =>
  Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1]);

function planOf(cli: Cli, subtasks: Record<string, object>): object {
  const list = Object.entries(subtasks).map(([id, rest]) => ({ id, ...rest }));
  return { goal: 'end it', workspace: cli.cwd, subtasks: list };
}

const listed = async (cli: Cli, id: string): Promise<TaskListing | undefined> =>
  (await cli.jsonHere<TaskListing[]>('list')).find((task) => task.id === id);

function save(cli: Cli, plan: object): string {
  const file = outside(cli, 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  return file;
}

test('a terminated task that waited for a person is failed with its reason, asks nothing more, and is retried and undone', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const fixed = outside(cli, 'fixed');
  const file = save(
    cli,
    planOf(cli, {
      made: { executor: command(cli, 'echo made > made.txt'), deliverables: ['made.txt'] },
      ask: {
        dependsOn: ['made'],
        executor: command(cli, `test -e ${fixed} || exit 77; echo asked > asked.txt`),
        deliverables: ['asked.txt'],
      },
    }),
  );
  await cli.jsonHere('run', file, '--id', 'quota', '--detach');
  expect((await cli.here('watch', 'quota', '--exit-on-decision')).code).toBe(3);
  const follower = cli.start('watch', 'quota');
  await until('the follower shows the question', () => follower.stdout().includes('ask-1'));
  const { client } = await temporalOf(cli);
  await client.workflow.getHandle('task-quota').terminate('the quota is used up');

  const followed = await follower.finished;
  expect(followed.code).toBe(1);
  expect(followed.stdout).toMatch(/Failed in .*: Terminated by .*: the quota is used up/);
  const summary = expect.stringMatching(/^Terminated by .+: the quota is used up$/) as string;
  expect(await cli.jsonHere<StatusView>('status', 'quota')).toMatchObject({
    state: 'failed',
    summary,
    endedAt: expect.stringMatching(/Z$/) as string,
    decisions: [],
  });
  await until('the list says so', async () => (await listed(cli, 'quota'))?.state === 'failed');
  const watched = await cli.here('watch', 'quota', '--json');
  expect([watched.code, codeIn(watched.stderr)]).toEqual([1, 'TASK_FAILED']);
  expect(await cli.jsonHere('report', 'quota')).toMatchObject({
    id: 'quota',
    state: 'failed',
    summary,
    attempts: { total: 2 },
  });
  const inbox = await cli.jsonHere<InboxItem[]>('inbox');
  expect(inbox.filter(({ taskId }) => taskId === 'quota')).toEqual([]);
  for (const args of [
    ['decide', 'quota', 'ask-1', 'retry'],
    ['steer', 'quota', 'faster'],
    ['pause', 'quota'],
    ['cancel', 'quota'],
  ]) {
    const refused = await cli.here(...args, '--json');
    expect([args[0], refused.code, codeIn(refused.stderr)]).toEqual([args[0], 4, 'TASK_ENDED']);
  }

  expect(await cli.jsonHere('retry', 'quota', '--dry-run')).toEqual({
    taskId: 'quota-r2',
    reused: ['made'],
    rechecked: [],
    runs: ['ask'],
  });
  writeFileSync(fixed, '');
  expect((await cli.here('retry', 'quota')).code).toBe(0);
  expect(namesIn(runs(cli))).toEqual(['made', 'ask', 'ask']);
  expect((await cli.jsonHere<TaskDiff>('diff', 'quota')).files.map(({ path }) => path)).toEqual(['made.txt']);
  expect((await cli.jsonHere<UndoAnswer>('undo', 'quota')).files).toHaveLength(1);
  expect(['made.txt', 'asked.txt'].map((name) => existsSync(join(cli.cwd, name)))).toEqual([false, true]);
}, 300_000);

test('a task that is terminated while its program runs, or was open for longer than its starter allowed, says that, leaves no program behind, and its workspace is free', async () => {
  const [cli, late] = [new Cli({ HEDDLE_HOME: home() }), new Cli({ HEDDLE_HOME: home() })];
  const { client, taskQueue } = await temporalOf(cli);
  const goLate = outside(late, 'go');
  const plan = planOf(late, {
    first: { executor: command(late, 'echo 1 > first.txt'), deliverables: ['first.txt'] },
    slow: { dependsOn: ['first'], executor: command(late, `test -e ${goLate} || sleep 600; echo slow`) },
  });
  await client.workflow.start('task', {
    workflowId: 'task-late',
    taskQueue,
    args: [plan],
    workflowExecutionTimeout: '20s',
  });
  const watchesLate = late.here('watch', 'late');

  const go = outside(cli, 'go');
  const file = save(
    cli,
    planOf(cli, {
      long: { executor: command(cli, `echo half > half.txt; test -e ${go} || sleep 600`), deliverables: ['half.txt'] },
    }),
  );
  const run = cli.start('run', file, '--id', 'cut');
  await until('the programs run', () => existsSync(join(cli.cwd, 'half.txt')) && runs(late).length === 2);
  const programs = [pidOf(runs(cli), 'long'), pidOf(runs(late), 'slow')];
  await client.workflow.getHandle('task-cut').terminate();
  const ran = await run.finished;
  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(/Failed in .*: Terminated by /);
  await until('the program has ended', () => !alive(programs[0] ?? 0));
  expect(await cli.jsonHere<StatusView>('status', 'cut')).toMatchObject({
    state: 'failed',
    subtasks: [{ id: 'long' }],
  });
  expect((await cli.jsonHere<UndoAnswer>('undo', 'cut', 'long')).files.map(({ path }) => path)).toEqual(['half.txt']);
  expect(existsSync(join(cli.cwd, 'half.txt'))).toBe(false);
  writeFileSync(go, '');
  expect(await cli.jsonHere('retry', 'cut', '--dry-run')).toMatchObject({ reused: [], runs: ['long'] });
  expect((await cli.here('retry', 'cut')).code).toBe(0);
  expect(namesIn(runs(cli))).toEqual(['long', 'long']);

  const watched = await watchesLate;
  expect(watched.code).toBe(1);
  expect(watched.stdout).toMatch(/Failed in .*: Timed out/);
  expect(await late.jsonHere<StatusView>('status', 'late')).toMatchObject({
    state: 'failed',
    summary: expect.stringMatching(/^Timed out/) as string,
    subtasks: [{ id: 'first', state: 'completed' }, { id: 'slow' }],
  });
  await until('the program has ended', () => !alive(programs[1] ?? 0));
  await until('the list says so', async () => (await listed(late, 'late'))?.state === 'failed');
  expect(await late.jsonHere('report', 'late')).toMatchObject({ state: 'failed' });
  const ended = await late.here('cancel', 'late', '--json');
  expect([ended.code, codeIn(ended.stderr)]).toEqual([4, 'TASK_ENDED']);
  writeFileSync(goLate, '');
  expect((await late.here('retry', 'late')).code).toBe(0);
  expect(namesIn(runs(late))).toEqual(['first', 'slow', 'slow']);
}, 300_000);
