// kill -9 of a worker between an approval and what was approved: the next worker does it once, and asks nobody again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { HeddleClient } from '../../../client/index.ts';
import { until } from '../../support/cli.ts';
import { eventsOf } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, replay } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import { vouched } from '../../support/vouched.ts';
import { startWorkerProcess, testFolder } from '../../support/worker-process.ts';
import { holdingAt, isHeld, type Holds } from './holds.ts';

let connected: HeddleClient;
beforeAll(async () => {
  connected = await HeddleClient.connect({ address: inject('temporalAddress') });
});
afterAll(() => connected.close());

/** The moments between the approval and the effect, and right after it. */
const points = [
  { name: 'before-the-permit', hold: { k: 'permit', nth: 1, when: 'before' } },
  { name: 'within-the-permit', hold: { k: 'permit', nth: 1, when: 'half' } },
  { name: 'after-the-permit', hold: { k: 'permit', nth: 1, when: 'after' } },
  { name: 'after-the-claim', hold: { k: 'claim', nth: 1, when: 'after' } },
  { name: 'after-the-effect', hold: { k: 'result', nth: 1, when: 'before' } },
] as const;

test('an approved command that is cut off in the middle is asked about, and not repeated unasked', async () => {
  const folder = testFolder();
  const [home, held, workspace] = ['home', 'held', 'work'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(held);
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'log.txt'), '');
  const queue = `agent-command-${process.pid}`;
  const id = `command-${process.pid}`;
  const client = new HeddleClient(connected.temporal, { taskQueue: queue, workflowTaskTimeout: 3_000 });
  const { url, requests } = await serveScript([
    calls(['shell', { command: 'echo once >> log.txt; rm -fr build' }]),
    finishes('clean', ['log.txt']),
  ]);
  writeModels(workspace, url);
  const env = { HEDDLE_TASK_QUEUE: queue, HEDDLE_HOST: 'kill', HEDDLE_HOME: home };
  // It has run, and nobody has written down what came of it.
  const holds: Holds = { [id]: { k: 'result', nth: 1, when: 'before' } };
  const victim = await startWorkerProcess({ ...env, ...holdingAt(holds, held) });
  const subtasks = [{ id: 'clean', description: 'Clean up', deliverables: ['log.txt'] }];
  const task = await client.start(vouched({ goal: 'Clean', workspace, executor: 'agent' as const, subtasks }), { id });
  await eventOf(task, decisionOpened('clean-1'));
  await task.decide({ decisionId: 'clean-1', option: 'approve', by: 'ana' });
  await until('it has run', () => isHeld(held, id));
  await victim.end('SIGKILL');
  const next = await startWorkerProcess(env);
  const { decision } = await eventOf(task, decisionOpened('clean-2'));
  expect(decision).toMatchObject({ kind: 'question', asks: { kind: 'unknown-effect', tool: 'shell' } });
  expect(decision.problem).toContain('log.txt');
  await task.decide({ decisionId: 'clean-2', option: 'happened', by: 'ana' });
  expect(await endOf(task)).toBe('completed');
  expect(readFileSync(join(workspace, 'log.txt'), 'utf8')).toBe('once\n');
  expect(requests).toHaveLength(2);
  await next.end('SIGTERM');
  await replay(connected.temporal, task.workflowId);
}, 60_000);

test('an approved write to .env happens once, whenever the worker dies', async () => {
  const folder = testFolder();
  const [home, held] = [join(folder, 'home'), join(folder, 'held')];
  mkdirSync(held);
  const queue = `agent-gate-${process.pid}`;
  const client = new HeddleClient(connected.temporal, { taskQueue: queue, workflowTaskTimeout: 3_000 });
  const idOf = (name: string): string => `gate-${process.pid}-${name}`;
  const holds: Holds = Object.fromEntries(points.map(({ name, hold }) => [idOf(name), hold]));
  const env = { HEDDLE_TASK_QUEUE: queue, HEDDLE_HOST: 'kill', HEDDLE_HOME: home };
  const victim = await startWorkerProcess({ ...env, ...holdingAt(holds, held) });
  const stages = await Promise.all(
    points.map(async ({ name }) => {
      const workspace = join(folder, name);
      mkdirSync(workspace);
      const service = await serveScript([
        calls(['write_file', { path: '.env', content: 'A=1\n' }]),
        finishes('written', ['.env']),
      ]);
      writeModels(workspace, service.url);
      const subtasks = [{ id: 'write', description: 'Write .env', deliverables: ['.env'] }];
      const plan = vouched({ goal: 'Write', workspace, executor: 'agent' as const, subtasks });
      return { workspace, service, task: await client.start(plan, { id: idOf(name) }) };
    }),
  );
  for (const { task, workspace } of stages) {
    await eventOf(task, decisionOpened());
    expect(existsSync(join(workspace, '.env'))).toBe(false);
    await task.decide({ decisionId: 'write-1', option: 'approve', by: 'ana' });
  }
  await until('all stand at their points', () => points.every(({ name }) => isHeld(held, idOf(name))));
  await victim.end('SIGKILL');
  const next = await startWorkerProcess(env);
  for (const [index, { task, workspace, service }] of stages.entries()) {
    expect([points[index]?.name, await endOf(task)]).toEqual([points[index]?.name, 'completed']);
    expect(readFileSync(join(workspace, '.env'), 'utf8')).toBe('A=1\n');
    expect(service.requests).toHaveLength(2);
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 1 }]);
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'decision.opened')).toHaveLength(1);
  }
  await next.end('SIGTERM');
  for (const { task } of stages) await replay(connected.temporal, task.workflowId);
}, 60_000);
