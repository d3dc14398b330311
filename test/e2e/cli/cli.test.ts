// The command line as a user has it: real processes, the background service, exit codes, JSON shapes.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type { StatusView } from '../../../client/index.ts';
import { alive, Cli, until, useHome } from '../../support/cli.ts';
import { linesOf } from '../../support/rig.ts';

const home = useHome();
const command = (script: string): object => ({ kind: 'command', run: ['sh', '-c', script] });

/** All that the service of a home has logged. */
function serviceLog(cli: Cli): string[] {
  const logs = join(cli.home, 'logs');
  const files = readdirSync(logs).filter((name) => name.startsWith('service-'));
  return files.flatMap((name) => linesOf(join(logs, name)));
}

function plan(cli: Cli, subtasks: object[], rest: object = {}): string {
  writeFileSync(join(cli.cwd, 'plan.json'), JSON.stringify({ goal: 'try it', ...rest, subtasks }));
  return 'plan.json';
}

test('run starts the service, follows the task to its end and says how it went; down ends the service', async () => {
  const cli = new Cli();
  const file = plan(cli, [{ id: 'a', executor: command('echo a') }]);
  const ran = await cli.run('run', file, '--json');
  expect(ran.stderr).toBe('');
  expect(ran.code).toBe(0);
  const events = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id?: number; type: string; taskId: string; text: string; time: string });
  const numbered = events.filter(({ id }) => id !== undefined);
  expect(numbered.map(({ id }) => id)).toEqual(numbered.map((_, index) => index + 1));
  expect(numbered.at(-1)).toMatchObject({ type: 'task.ended', state: 'completed' });
  const service = cli.servicePid();
  const server = cli.serverPid();
  expect((await cli.run('down')).code).toBe(0);
  expect([alive(service), alive(server)]).toEqual([false, false]);
  expect((await cli.run('down')).code).toBe(0);
}, 120_000);

test('latest is the task that began last, also when an older one is still open', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const file = plan(cli, [{ id: 'a', executor: command('echo a') }]);
  const asking = plan(cli, [{ id: 'a', executor: command('echo a') }], { planApproval: true });
  await cli.json('run', asking, '--detach', '--id', 'older');
  plan(cli, [{ id: 'a', executor: command('echo a') }]);
  for (const id of ['newer', 'newest'])
    expect(await cli.run('run', file, '--id', id, '--share-workspace')).toMatchObject({ code: 0, stderr: '' });
  expect(await cli.json('status', 'latest')).toMatchObject({ id: 'newest', state: 'completed' });
  const { code, stderr } = await cli.run('cancel', 'older', '--wait');
  expect([code, stderr]).toEqual([0, 'Cancelling the task older…\n']);
  expect(await cli.json('status', 'latest')).toMatchObject({ id: 'newest' });
}, 120_000);

test('detach, then status, inbox, steer, decide and watch from other commands', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const file = plan(cli, [
    { id: 'deploy', executor: command('cat > prompt.txt; test "$HEDDLE_ATTEMPT" -gt 1 || exit 78; echo deployed') },
    { id: 'after', dependsOn: ['deploy'], executor: command('echo after') },
  ]);
  const started = await cli.json<{ taskId: string; workflowId: string; webUi: string }>('run', file, '--detach');
  expect(started.workflowId).toBe(`task-${started.taskId}`);
  expect(started.webUi).toMatch(new RegExp(`/namespaces/default/workflows/task-${started.taskId}$`));
  const waited = await cli.run('watch', 'latest', '--exit-on-decision');
  expect(waited.code).toBe(3);
  const inbox = await cli.json<{ taskId: string; id: string; options: { id: string }[] }[]>('inbox');
  expect(inbox).toMatchObject([{ taskId: started.taskId, id: 'deploy-1', kind: 'escalation' }]);
  expect(inbox[0]?.options.map(({ id }) => id)).toContain('provide-credentials');
  const listed = await cli.json<{ id: string; state: string }[]>('list');
  expect(listed.filter(({ id }) => id === started.taskId)).toMatchObject([
    { state: 'waiting', goal: 'try it', waitingOn: ['escalation'] },
  ]);
  expect((await cli.run('steer', 'latest', 'speak plainly')).code).toBe(0);

  expect((await cli.run('decide', 'latest', 'deploy-1', 'dance')).code).toBe(2);
  expect((await cli.run('decide', 'latest', 'nothing-1', 'retry')).code).toBe(4);
  expect(await cli.json('decide', 'latest', 'deploy-1', 'fix', '--instruction', 'use the staging key')).toEqual({
    taskId: started.taskId,
    decisionId: 'deploy-1',
    option: 'fix',
  });
  const again = await cli.run('decide', 'latest', 'deploy-1', 'fix', '--instruction', 'use the staging key', '--json');
  expect(again.code).toBe(4);
  expect((JSON.parse(again.stderr) as { error: { code: string } }).error.code).toMatch(
    /DECISION_ALREADY_ANSWERED|TASK_ENDED/,
  );

  expect((await cli.run('watch', 'latest')).code).toBe(0);
  const prompt = readFileSync(join(cli.cwd, 'prompt.txt'), 'utf8');
  expect(prompt.indexOf('<guidance')).toBe(0);
  expect(prompt.indexOf('use the staging key')).toBeLessThan(prompt.indexOf('<steering>'));
  expect(prompt.indexOf('<steering>')).toBeLessThan(prompt.indexOf('<retry_context'));
  const status = await cli.json<StatusView>('status', 'latest');
  expect(status).toMatchObject({ state: 'completed', decisions: [] });
  const ended = await cli.run('steer', 'latest', 'too late', '--json');
  expect([ended.code, (JSON.parse(ended.stderr) as { error: { code: string } }).error.code]).toEqual([4, 'TASK_ENDED']);
}, 180_000);

test('two commands that start the service at once get one', async () => {
  const cli = new Cli();
  const results = await Promise.all([
    cli.json<object[]>('list'),
    cli.json<object[]>('list'),
    cli.json<object[]>('inbox'),
  ]);
  expect(results).toEqual([[], [], []]);
  const starts = serviceLog(cli).filter((line) => line.includes('"msg":"ready"'));
  expect(starts).toHaveLength(1);
}, 120_000);

test('an idle service ends by itself, and the next command starts it again', async () => {
  const cli = new Cli({ HEDDLE_IDLE: '2s' });
  await cli.json('list');
  const pid = cli.servicePid();
  await until('the service has ended', () => !alive(pid), 30_000);
  await cli.json('list');
  expect(cli.servicePid()).not.toBe(pid);
}, 120_000);

test('down refuses while a task is open and names it; --force stops, and the task goes on at the next start', async () => {
  const cli = new Cli();
  const file = plan(cli, [{ id: 'wait', executor: command('test -e go && { echo gone; exit 0; }; sleep 600') }]);
  await cli.json('run', file, '--id', 'open1', '--detach');
  const refused = await cli.run('down', '--json');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('open1');
  expect((await cli.run('down', '--force')).code).toBe(0);
  writeFileSync(join(cli.cwd, 'go'), '');
  expect((await cli.run('watch', 'open1')).code).toBe(0);
}, 180_000);

test('Ctrl-C detaches: exit 130, a way back, and the task goes on', async () => {
  const cli = new Cli({ HEDDLE_HOME: home() });
  const file = plan(cli, [{ id: 'slow', executor: command('until test -e go; do sleep 0.1; done; echo done') }]);
  const running = cli.start('run', file, '--id', 'slow1');
  await until('it runs', () => running.stdout().includes('slow starts'), 60_000);
  running.child.kill('SIGINT');
  const { code, stdout, stderr } = await running.finished;
  expect(code).toBe(130);
  expect(`${stdout}${stderr}`).toContain('heddle watch slow1');
  writeFileSync(join(cli.cwd, 'go'), '');
  expect((await cli.run('watch', 'slow1')).code).toBe(0);
}, 120_000);

test('bad input ends in the right code before anything starts', async () => {
  const cli = new Cli({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
  const table: [string[], number, string, string?][] = [
    [['run', 'missing.yaml'], 2, 'PLAN_NOT_FOUND'],
    [
      ['run', '-'],
      2,
      'PLAN_CYCLE',
      JSON.stringify({ goal: 'g', subtasks: [{ id: 'a', dependsOn: ['a'], executor: command(':') }] }),
    ],
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
    const result = await cli.runWithInput(input ?? '', ...args, '--json');
    expect([result.code, (JSON.parse(result.stderr) as { error: { code: string } }).error.code]).toEqual([code, name]);
  }
}, 120_000);

test('with a given server and no worker, run exits 5 before it starts anything, and a worker makes it run', async () => {
  const queue = `elsewhere-${randomUUID()}`;
  const cli = new Cli({ TEMPORAL_ADDRESS: inject('temporalAddress'), HEDDLE_TASK_QUEUE: queue });
  const file = plan(cli, [{ id: 'a', executor: command('echo a') }]);
  const refused = await cli.run('run', file, '--json');
  expect([refused.code, (JSON.parse(refused.stderr) as { error: { code: string } }).error.code]).toEqual([
    5,
    'NO_WORKER',
  ]);
  const detached = await cli.json<{ taskId: string }>('run', file, '--detach');
  const worker = cli.start('worker', '--json');
  await until('the worker is ready', () => worker.stdout().includes(queue), 60_000);
  expect((await cli.run('watch', detached.taskId)).code).toBe(0);
  worker.child.kill('SIGTERM');
  expect((await worker.finished).code).toBe(0);
}, 180_000);
