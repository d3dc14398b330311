// `heddle replay`: whether tasks that are under way could go on with this code, before it is deployed.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { Cli } from '../../support/cli.ts';
import { writeChangedBundle } from '../../support/changed-bundle.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';

const rig = useRig({ alone: true });
const corpus = join(import.meta.dirname, '..', '..', 'corpora', 'histories');
const files = readdirSync(corpus).map((name) => join(corpus, name));

interface Replays {
  replayed: number;
  failed: number;
  results: { name: string; workflowId: string; problem: string | null }[];
}

const newCli = () => new Cli({ TEMPORAL_ADDRESS: inject('temporalAddress'), HEDDLE_TASK_QUEUE: rig.taskQueue });

test('recorded histories replay against this code without a server, and are red against a changed one', async () => {
  const cli = newCli();
  const noServer = { ...cli.env, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  Object.assign(cli.env, noServer);
  const good = await cli.json<Replays>('replay', ...files);
  expect(good).toMatchObject({ replayed: files.length, failed: 0 });
  const bundle = await writeChangedBundle(cli.cwd);
  const bad = await cli.run('replay', ...files, '--bundle', bundle, '--json');
  expect(bad.code).toBe(1);
  const { results } = JSON.parse(bad.stdout) as Replays;
  const fits = results.filter(({ problem }) => problem === null).map(({ name }) => name);
  // Only memories, which the change left alone.
  expect(fits.every((name) => name.startsWith('project-'))).toBe(true);
  expect(results.find(({ name }) => name === 'task-diamond-0.json')?.problem).toContain('Nondeterminism');
  expect(JSON.parse(bad.stderr)).toMatchObject({ error: { code: 'REPLAY_MISMATCH' } });
  expect((JSON.parse(bad.stderr) as { error: { message: string } }).error.message).toContain('task-aborted-0.json');
}, 120_000);

test('open tasks are fetched from the server: one by its id, or all of them', async () => {
  const cli = newCli();
  const asks = '[ $HEDDLE_ATTEMPT = 1 ] && exit 77; echo done';
  const task = await rig.start(shellPlan({ work: { sh: asks } }));
  await eventOf(task, decisionOpened());
  const one = await cli.run('replay', task.id);
  expect([one.code, one.stdout, one.stderr]).toEqual([0, `✓ ${task.workflowId}\n`, '']);
  const bundle = await writeChangedBundle(cli.cwd);
  const all = await cli.run('replay', '--open', '--bundle', bundle, '--json');
  expect(all.code).toBe(1);
  expect((JSON.parse(all.stdout) as Replays).results).toMatchObject([{ workflowId: task.workflowId }]);
  await task.decide({ decisionId: 'work-1', option: 'retry' });
  expect(await endOf(task)).toBe('completed');
}, 120_000);

test('what is no history, no task, or nothing at all is refused', async () => {
  const cli = newCli();
  writeFileSync(join(cli.cwd, 'plan.json'), '{"goal":"x"}');
  const codeOf = async (...args: string[]): Promise<[number | null, string]> => {
    const { code, stderr } = await cli.run('replay', ...args, '--json');
    return [code, (JSON.parse(stderr) as { error: { code: string } }).error.code];
  };
  expect(await codeOf('plan.json')).toEqual([2, 'REPLAY_FILE_INVALID']);
  expect(await codeOf('no-such-task')).toEqual([4, 'TASK_NOT_FOUND']);
  expect(await codeOf()).toEqual([2, 'USAGE']);
}, 60_000);
