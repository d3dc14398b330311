// The example of a team's own worker runs, and what a package says it exports is built.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { HeddleClient } from '../../client/index.ts';
import { until } from '../support/cli.ts';
import { vouched } from '../support/vouched.ts';
import { testFolder } from '../support/worker-process.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'agent.md'), 'utf8');

let client: HeddleClient;
beforeAll(async () => {
  client = await HeddleClient.connect({ address: inject('temporalAddress') });
});
afterAll(() => client.close());

test('a worker of a team serves its own workflows, activities and models beside ours', async () => {
  const folder = testFolder();
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const taskQueue = `team-${process.pid}`;
  const worker = spawn(process.execPath, [join(root, 'examples', 'own-worker', 'worker.ts')], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      HEDDLE_HOME: join(folder, 'home'),
      HEDDLE_TASK_QUEUE: taskQueue,
      HEDDLE_HOST: 'team',
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      NODE_COMPILE_CACHE: inject('compiled'),
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
  const result: unknown = await client.temporal.workflow.execute('publishNotes', started);
  // The parent read the deliverables and the notes of its child.
  expect(result).toEqual({ task: workflowId, files: ['notes.md'], words: '3 words' });
  expect(readFileSync(join(workspace, 'notes.md'), 'utf8')).toBe('Three short words\n');
  const task = client.task(workflowId);
  expect((await task.attempts()).map(({ subtask, outcome, summary }) => [subtask, outcome, summary])).toEqual([
    ['draft', 'passed', ''],
    ['count', 'passed', '3 words'],
  ]);
  const [config = ''] = /```toml\n(\[providers\.ours\].*?)```/s.exec(page)?.slice(1) ?? [];
  const { url } = await serveOurModel();
  writeFileSync(join(workspace, 'heddle.toml'), config.replace('http://127.0.0.1:9999', url));
  const agent = `agent-${process.pid}`;
  const subtasks = [{ id: 'sum', description: 'Write summary.md', deliverables: ['summary.md'] }];
  const plan = vouched({ goal: 'Sum up', workspace, executor: 'agent', subtasks });
  await client.temporal.workflow.execute('task', { workflowId: `task-${agent}`, taskQueue, args: [plan] });
  expect(readFileSync(join(workspace, 'summary.md'), 'utf8')).toBe('All is well.\n');
  expect(await client.task(agent).attempts()).toMatchObject([
    { outcome: 'passed', modelCalls: 2, models: [{ model: 'house', calls: 2, tokens: 680 }] },
  ]);
  worker.kill('SIGTERM');
  expect(await ended).toBe(0);
}, 120_000);

test('the page of the agent shows the provider of the example', () => {
  const example = readFileSync(join(root, 'examples', 'own-worker', 'provider.ts'), 'utf8');
  const code = example.slice(example.indexOf('/** The reply of your service'));
  expect(page).toContain(code);
});

/** A service that no provider kind knows. */
async function serveOurModel(): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { messages } = body as { messages: { from: string }[] };
      const isDone = messages.some(({ from }) => from === 'tools');
      const call = isDone
        ? { name: 'finish', arguments: { status: 'success', notes: 'written', deliverablesTouched: ['summary.md'] } }
        : { name: 'write_file', arguments: { path: 'summary.md', content: 'All is well.\n' } };
      response.end(JSON.stringify({ text: '', calls: [call], tokens: { in: 300, out: 40 } }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

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
