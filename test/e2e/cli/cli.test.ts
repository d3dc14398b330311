// The command line as a user has it: real processes, the background service, exit codes, JSON shapes.
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import type { StatusView, TaskListing } from '../../../client/index.ts';
import { alive, Cli, until, useHome } from '../../support/cli.ts';
import { linesOf } from '../../support/rig.ts';
import { codeIn, temporalOf } from './local-server.ts';

const home = useHome();
/** A program that it runs at its end is not waited for. */
const newCli = (): Cli => new Cli({ HEDDLE_HOME: home(), HEDDLE_GRACE: '1s' });
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

test('commands that start the service at once get one; run follows its task to the end and says how it went', async () => {
  const cli = newCli();
  const file = plan(cli, [{ id: 'a', executor: command('echo a') }]);
  const [ran, listed] = await Promise.all([cli.run('run', file, '--json'), cli.json<TaskListing[]>('list')]);
  expect(ran.stderr).toBe('');
  expect(ran.code).toBe(0);
  const events = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id?: number; type: string; taskId: string; text: string; time: string });
  const numbered = events.filter(({ id }) => id !== undefined);
  expect(numbered.map(({ id }) => id)).toEqual(numbered.map((_, index) => index + 1));
  expect(numbered.at(-1)).toMatchObject({ type: 'task.ended', state: 'completed' });
  expect(listed.filter(({ id }) => id !== numbered[0]?.taskId)).toEqual([]);
  expect(serviceLog(cli).filter((line) => line.includes('"msg":"ready"'))).toHaveLength(1);
}, 120_000);

test('latest is the task that began last, also when an older one is still open', async () => {
  const cli = newCli();
  const file = plan(cli, [{ id: 'a', executor: command('echo a') }]);
  const asking = plan(cli, [{ id: 'a', executor: command('echo a') }], { planApproval: true });
  await cli.jsonHere('run', asking, '--detach', '--id', 'older');
  plan(cli, [{ id: 'a', executor: command('echo a') }]);
  for (const id of ['newer', 'newest'])
    expect(await cli.here('run', file, '--id', id, '--share-workspace')).toMatchObject({ code: 0, stderr: '' });
  expect(await cli.jsonHere('status', 'latest')).toMatchObject({ id: 'newest', state: 'completed' });
  expect(await cli.jsonHere('diff', 'latest')).toMatchObject({ taskId: 'newest' });
  const { code, stderr } = await cli.here('cancel', 'older', '--wait');
  expect([code, stderr]).toEqual([0, 'Cancelling the task older…\n']);
  expect(await cli.jsonHere('status', 'latest')).toMatchObject({ id: 'newest' });
}, 120_000);

test('detach, then status, inbox, steer, decide and watch from other commands; a task that does not answer hides no question of the others', async () => {
  const cli = newCli();
  const file = plan(cli, [
    { id: 'deploy', executor: command('cat > prompt.txt; test "$HEDDLE_ATTEMPT" -gt 1 || exit 78; echo deployed') },
    { id: 'after', dependsOn: ['deploy'], executor: command('echo after') },
  ]);
  const { taskId, ...started } = await cli.jsonHere<{ taskId: string; workflowId: string; webUi: string }>(
    'run',
    file,
    '--detach',
  );
  expect(started.workflowId).toBe(`task-${taskId}`);
  expect(started.webUi).toMatch(new RegExp(`/namespaces/default/workflows/task-${taskId}$`));
  expect((await cli.here('watch', 'latest', '--exit-on-decision')).code).toBe(3);
  const { client } = await temporalOf(cli);
  // Nobody polls its queue, so that no question to it is ever answered.
  await client.workflow.start('task', { workflowId: 'task-silent', taskQueue: 'nobody', args: [{}] });
  const ids = async (): Promise<string[]> => (await cli.jsonHere<TaskListing[]>('list')).map(({ id }) => id);
  await expect.poll(ids).toEqual(expect.arrayContaining([taskId, 'silent']));
  const json = await cli.here('inbox', '--json');
  expect(JSON.parse(json.stderr)).toMatchObject({
    warning: { message: expect.stringContaining('The task silent is not responding') as string },
  });
  await client.workflow.getHandle('task-silent').terminate();
  const inbox = JSON.parse(json.stdout) as { taskId: string; id: string; options: { id: string }[] }[];
  expect(inbox).toMatchObject([{ taskId, id: 'deploy-1', kind: 'escalation' }]);
  expect(inbox[0]?.options.map(({ id }) => id)).toContain('provide-credentials');
  const plain = await cli.here('inbox');
  expect([plain.code, plain.stderr]).toEqual([0, '']);
  expect(plain.stdout).toContain(`heddle decide ${taskId} deploy-1`);
  const listed = await cli.jsonHere<TaskListing[]>('list');
  expect(listed.filter(({ id }) => id === taskId)).toMatchObject([
    { state: 'waiting', goal: 'try it', waitingOn: ['escalation'] },
  ]);
  expect((await cli.here('steer', taskId, 'speak plainly')).code).toBe(0);

  expect((await cli.here('decide', taskId, 'deploy-1', 'dance')).code).toBe(2);
  expect((await cli.here('decide', taskId, 'nothing-1', 'retry')).code).toBe(4);
  expect(await cli.jsonHere('decide', taskId, 'deploy-1', 'fix', '--instruction', 'use the staging key')).toEqual({
    taskId,
    decisionId: 'deploy-1',
    option: 'fix',
  });
  const again = await cli.here('decide', taskId, 'deploy-1', 'fix', '--instruction', 'use the staging key', '--json');
  expect(again.code).toBe(4);
  expect(codeIn(again.stderr)).toMatch(/DECISION_ALREADY_ANSWERED|TASK_ENDED/);

  expect((await cli.here('watch', taskId)).code).toBe(0);
  const prompt = readFileSync(join(cli.cwd, 'prompt.txt'), 'utf8');
  expect(prompt.indexOf('<guidance')).toBe(0);
  expect(prompt.indexOf('use the staging key')).toBeLessThan(prompt.indexOf('<steering>'));
  expect(prompt.indexOf('<steering>')).toBeLessThan(prompt.indexOf('<retry_context'));
  const status = await cli.jsonHere<StatusView>('status', taskId);
  expect(status).toMatchObject({ state: 'completed', decisions: [] });
  const ended = await cli.here('steer', taskId, 'too late', '--json');
  expect([ended.code, codeIn(ended.stderr)]).toEqual([4, 'TASK_ENDED']);
}, 180_000);

test('Ctrl-C detaches: exit 130, a way back, and the task goes on', async () => {
  const cli = newCli();
  const file = plan(cli, [{ id: 'slow', executor: command('until test -e go; do sleep 0.1; done; echo done') }]);
  const running = cli.start('run', file, '--id', 'slow1');
  await until('it runs', () => running.stdout().includes('slow starts'), 60_000);
  running.child.kill('SIGINT');
  const { code, stdout, stderr } = await running.finished;
  expect(code).toBe(130);
  expect(`${stdout}${stderr}`).toContain('heddle watch slow1');
  writeFileSync(join(cli.cwd, 'go'), '');
  expect((await cli.here('watch', 'slow1')).code).toBe(0);
}, 120_000);

test('prune takes the output of ended tasks and keeps what an open one refers to; with another server it is refused', async () => {
  const cli = newCli();
  const ended = plan(cli, [{ id: 'a', executor: command('echo spoken by the ended one') }]);
  expect((await cli.here('run', ended, '--id', 'ended')).code).toBe(0);
  const open = plan(cli, [
    { id: 'a', executor: command('echo spoken by the open one') },
    { id: 'b', dependsOn: ['a'], executor: command('exit 78') },
  ]);
  expect((await cli.here('run', open, '--id', 'open', '--exit-on-decision')).code).toBe(3);
  age(join(cli.home, 'store', 'objects'), 40);

  // The other one knows nothing of the tasks that ran here.
  const elsewhere = new Cli({ HEDDLE_HOME: cli.home, TEMPORAL_ADDRESS: inject('temporalAddress') });
  for (const flags of [['--dry-run'], []]) {
    const refused = await elsewhere.here('prune', ...flags);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('no task of the server')]);
  }
  expect((await cli.here('prune', '--older-than', 'soon')).code).toBe(2);
  const planned = await cli.jsonHere<{ objects: number }>('prune', '--dry-run');
  expect(planned.objects).toBeGreaterThan(0);
  expect((await cli.here('logs', 'ended', 'a')).stdout).toContain('spoken by the ended one');
  expect(await cli.jsonHere('prune')).toMatchObject({ objects: planned.objects, openTasks: 1, dryRun: false });
  expect((await cli.here('logs', 'ended', 'a')).stdout).not.toContain('spoken by the ended one');
  expect((await cli.here('logs', 'open', 'a')).stdout).toContain('spoken by the open one');
  expect(await cli.jsonHere('prune')).toMatchObject({ objects: 0 });
  expect((await cli.here('cancel', 'open', '--wait')).code).toBe(0);
}, 120_000);

test('down refuses while a task is open; --force ends all, the next start goes on; an idle service ends by itself', async () => {
  const cli = newCli();
  const file = plan(cli, [
    { id: 'wait', executor: command('touch waits; until test -e go; do sleep 0.1; done; echo gone | tee gone.txt') },
  ]);
  await cli.jsonHere('run', file, '--id', 'open1', '--detach');
  await until('it waits', () => existsSync(join(cli.cwd, 'waits')));
  const pids = (): number[] => cli.processes().map(({ pid }) => pid);
  const first = pids();
  const refused = await cli.here('down', '--json');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('open1');
  expect((await cli.here('down', '--force')).code).toBe(0);
  expect([first.length, first.filter(alive)]).toEqual([2, []]);

  // It does not end before the task has: the pids are there to be read.
  cli.env['HEDDLE_IDLE'] = '2s';
  await cli.json('up', '--background');
  const second = pids();
  expect([second.length, second.filter((pid) => first.includes(pid))]).toEqual([2, []]);
  expect(existsSync(join(cli.cwd, 'gone.txt'))).toBe(false);
  writeFileSync(join(cli.cwd, 'go'), '');
  await until('it has ended by itself', () => !second.some(alive), 60_000);
  expect(readFileSync(join(cli.cwd, 'gone.txt'), 'utf8')).toBe('gone\n');
  expect((await cli.here('down')).code).toBe(0);
}, 180_000);

function age(folder: string, days: number): void {
  const then = new Date(Date.now() - days * 24 * 60 * 60_000);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), then, then);
}
