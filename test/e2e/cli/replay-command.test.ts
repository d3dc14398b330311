// `heddle replay`: whether tasks that are under way could go on with this code, before it is deployed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { Cli, type Finished } from '../../support/cli.ts';
import { writeChangedBundle } from '../../support/changed-bundle.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';
import { codeIn } from './local-server.ts';

const rig = useRig({ alone: true });
const corpus = join(import.meta.dirname, '..', '..', 'corpora', 'histories');
/** Some of each kind: test/replay/corpus.test.ts replays them all. */
const names = ['project-corpus-aborted', 'task-aborted', 'task-carried-on', 'task-diamond', 'task-planned'].map(
  (name) => `${name}-0.json`,
);
const files = names.map((name) => join(corpus, name));

interface Replays {
  replayed: number;
  failed: number;
  results: { name: string; workflowId: string; problem: string | null }[];
}

const newCli = () => new Cli({ TEMPORAL_ADDRESS: inject('temporalAddress'), HEDDLE_TASK_QUEUE: rig.taskQueue });

test('recorded histories replay against this code without a server', async () => {
  const cli = newCli();
  cli.env['TEMPORAL_ADDRESS'] = '127.0.0.1:1';
  expect(await cli.json<Replays>('replay', ...files)).toMatchObject({ replayed: files.length, failed: 0 });
}, 120_000);

test('open tasks are fetched from the server, one by its id or all of them; against changed code they and recorded ones are red', async () => {
  const cli = newCli();
  const asks = '[ $HEDDLE_ATTEMPT = 1 ] && exit 77; echo done';
  const task = await rig.start(shellPlan({ work: { sh: asks } }));
  await eventOf(task, decisionOpened());
  const one = await cli.run('replay', task.id);
  expect([one.code, one.stdout, one.stderr]).toEqual([0, `✓ ${task.workflowId}\n`, '']);
  const bundle = await writeChangedBundle(cli.cwd);
  const bad = await cli.run('replay', ...files, '--open', '--bundle', bundle, '--json');
  expect(bad.code).toBe(1);
  const { results } = JSON.parse(bad.stdout) as Replays;
  expect(results.slice(files.length)).toMatchObject([{ workflowId: task.workflowId }]);
  // Only memories, which the change left alone.
  const fits = results.filter(({ problem }) => problem === null).map(({ name }) => name);
  expect(fits).toEqual(names.filter((name) => name.startsWith('project-')));
  expect(results.find(({ name }) => name === 'task-diamond-0.json')?.problem).toContain('Nondeterminism');
  expect(JSON.parse(bad.stderr)).toMatchObject({ error: { code: 'REPLAY_MISMATCH' } });
  expect((JSON.parse(bad.stderr) as { error: { message: string } }).error.message).toContain('task-aborted-0.json');
  await task.decide({ decisionId: 'work-1', option: 'retry' });
  expect(await endOf(task)).toBe('completed');
}, 120_000);

test('what is no history, no task, or nothing at all is refused', async () => {
  const cli = newCli();
  writeFileSync(join(cli.cwd, 'plan.json'), '{"goal":"x"}');
  const codesOf = ({ code, stderr }: Finished): unknown[] => [code, codeIn(stderr)];
  expect(codesOf(await cli.run('replay', 'plan.json', '--json'))).toEqual([2, 'REPLAY_FILE_INVALID']);
  const bundle = await cli.run('replay', files[0] ?? '', '--bundle', 'plan.json', '--json');
  expect(codesOf(bundle)).toEqual([2, 'REPLAY_FILE_INVALID']);
  expect(bundle.stderr).toContain('plan.json is not a bundle of workflows');
  expect(codesOf(await cli.run('replay', 'no-such-task', '--json'))).toEqual([4, 'TASK_NOT_FOUND']);
  expect(codesOf(await cli.here('replay', '--json'))).toEqual([2, 'USAGE']);
}, 60_000);
