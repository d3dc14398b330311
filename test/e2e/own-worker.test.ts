// The example of a team's own worker runs, and what a package says it exports is built.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { until } from '../support/cli.ts';
import { useRig } from '../support/rig.ts';
import { testFolder } from '../support/worker-process.ts';

const root = join(import.meta.dirname, '..', '..');
const rig = useRig();

test('a worker of a team serves its own workflows and activities beside ours', async () => {
  const folder = testFolder();
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const taskQueue = `${rig.taskQueue}-team`;
  const worker = spawn(process.execPath, [join(root, 'examples', 'own-worker', 'worker.ts')], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      HEDDLE_HOME: join(folder, 'home'),
      HEDDLE_TASK_QUEUE: taskQueue,
      HEDDLE_HOST: 'team',
      TEMPORAL_ADDRESS: inject('temporalAddress'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
  const ended = new Promise((resolve) => worker.on('close', resolve));
  onTestFinished(async () => {
    worker.kill('SIGKILL');
    await ended;
  });
  await until('the worker is there', () => {
    if (worker.exitCode !== null) throw new Error(`it ended: ${said}`);
    return said.includes(`Working on ${taskQueue} and ${taskQueue}-host-team`);
  });
  const workflowId = `publish-${process.pid}`;
  const started = { workflowId, taskQueue, args: [{ workspace }] };
  const result: unknown = await rig.temporal.workflow.execute('publishNotes', started);
  expect(result).toBe(`published, see heddle report ${workflowId}`);
  expect(readFileSync(join(workspace, 'notes.md'), 'utf8')).toBe('Three short words\n');
  const task = rig.client.task(workflowId);
  expect((await task.attempts()).map(({ subtask, outcome, summary }) => [subtask, outcome, summary])).toEqual([
    ['draft', 'passed', ''],
    ['count', 'passed', '3 words'],
  ]);
  worker.kill('SIGTERM');
  expect(await ended).toBe(0);
}, 120_000);

test('every export of the package is made from a source that is there', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string; default: string }>;
  };
  expect(Object.keys(exports)).toEqual(['.', './workflows', './activities', './package.json']);
  for (const target of Object.values(exports)) {
    if (typeof target === 'string') continue;
    const source = target.default.replace('./dist/', '').replace(/\.js$/, '.ts');
    expect(existsSync(join(root, source))).toBe(true);
    expect(target.types).toBe(target.default.replace(/\.js$/, '.d.ts'));
  }
});

test('the workflows can be imported outside of a worker: a client takes their types and names from them', async () => {
  expect(Object.keys(await import('../../workflows/index.ts')).sort()).toEqual(['project', 'task']);
});
