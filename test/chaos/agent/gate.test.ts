// kill -9 of a worker between an approval and what was approved: the next worker does it once, and asks nobody again.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { HeddleClient, type TaskHandle } from '../../../client/index.ts';
import { until } from '../../support/cli.ts';
import { eventsOf } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, replay } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels, type ScriptedModels } from '../../support/scripted-models.ts';
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

interface Stage {
  task: TaskHandle;
  workspace: string;
  service: ScriptedModels;
}

test('an approved write to .env happens once, whenever the worker dies; a command that was cut off in the middle is asked about, and not repeated unasked', async () => {
  const folder = testFolder();
  const [home, held] = [join(folder, 'home'), join(folder, 'held')];
  mkdirSync(held);
  const queue = `agent-gate-${process.pid}`;
  const client = new HeddleClient(connected.temporal, { taskQueue: queue, workflowTaskTimeout: 3_000 });
  const idOf = (name: string): string => `gate-${process.pid}-${name}`;
  const holds: Holds = {
    ...Object.fromEntries(points.map(({ name, hold }) => [idOf(name), hold])),
    // The command has run, and nobody has written down what came of it.
    [idOf('command')]: { k: 'result', nth: 1, when: 'before' },
  };
  const env = { HEDDLE_TASK_QUEUE: queue, HEDDLE_HOST: 'kill', HEDDLE_HOME: home };
  const victim = await startWorkerProcess({ ...env, ...holdingAt(holds, held) });
  const begin = async (name: string, tool: [string, unknown], deliverable: string): Promise<Stage> => {
    const workspace = join(folder, name);
    mkdirSync(workspace);
    const service = await serveScript([calls(tool), finishes('done', [deliverable])]);
    writeModels(workspace, service.url);
    const subtasks = [{ id: 'act', description: 'Do it', deliverables: [deliverable] }];
    const plan = vouched({ goal: 'Act', workspace, executor: 'agent' as const, subtasks });
    return { workspace, service, task: await client.start(plan, { id: idOf(name) }) };
  };
  const writes = await Promise.all(
    points.map(({ name }) => begin(name, ['write_file', { path: '.env', content: 'A=1\n' }], '.env')),
  );
  const command = await begin('command', ['shell', { command: 'echo once >> log.txt; rm -fr build' }], 'log.txt');
  for (const { task, workspace } of [...writes, command]) {
    await eventOf(task, decisionOpened('act-1'));
    expect(['.env', 'log.txt'].filter((name) => existsSync(join(workspace, name)))).toEqual([]);
    await task.decide({ decisionId: 'act-1', option: 'approve', by: 'ana' });
  }
  await until('all stand at their points', () => Object.keys(holds).every((id) => isHeld(held, id)));
  await victim.end('SIGKILL');
  const next = await startWorkerProcess(env);

  for (const [index, { task, workspace, service }] of writes.entries()) {
    expect([points[index]?.name, await endOf(task)]).toEqual([points[index]?.name, 'completed']);
    expect(readFileSync(join(workspace, '.env'), 'utf8')).toBe('A=1\n');
    expect(service.requests).toHaveLength(2);
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 1 }]);
    const { items } = await task.allEvents();
    expect(eventsOf(items, 'decision.opened')).toHaveLength(1);
  }

  const { decision } = await eventOf(command.task, decisionOpened('act-2'));
  expect(decision).toMatchObject({ kind: 'question', asks: { kind: 'unknown-effect', tool: 'shell' } });
  expect(decision.problem).toContain('log.txt');
  await command.task.decide({ decisionId: 'act-2', option: 'happened', by: 'ana' });
  expect(await endOf(command.task)).toBe('completed');
  expect(readFileSync(join(command.workspace, 'log.txt'), 'utf8')).toBe('once\n');
  expect(command.service.requests).toHaveLength(2);
  await next.end('SIGTERM');
  for (const { task } of [...writes, command]) await replay(connected.temporal, task.workflowId);
}, 60_000);
