// A worker that stands still for longer than its heartbeat may be late, and goes on later: meanwhile another one has gone on with its
// agents, and the first does nothing more to the world.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { HeddleClient } from '../../../client/index.ts';
import { until } from '../../support/cli.ts';
import { openCutGateway } from '../../support/gateways/cut-gateway.ts';
import { endOf, replay } from '../../support/rig.ts';
import { calls, finishes, serveScript, writeModels } from '../../support/scripted-models.ts';
import { vouched } from '../../support/vouched.ts';
import { startWorkerProcess, testFolder } from '../../support/worker-process.ts';
import { holdingAt, isHeld, isLeft, release } from './holds.ts';
import { turnOf } from './points.ts';

let connected: HeddleClient;
beforeAll(async () => {
  connected = await HeddleClient.connect({ address: inject('temporalAddress') });
});
afterAll(() => connected.close());

const before = 'the end\n';
const after = 'a line\nthe end\n';
const edit = calls(['edit_file', { path: 'log.txt', old: before, new: after }]);

/** A task whose agent edits a file, on a service that lets the first request wait, when it is told to. */
async function setStage(folder: string, where: string, waits: boolean) {
  const workspace = join(folder, where);
  mkdirSync(workspace);
  const file = join(workspace, 'log.txt');
  writeFileSync(file, before);
  let answer = (): void => undefined;
  const late = new Promise<void>((resolve) => (answer = resolve));
  const { url, requests } = await serveScript(async (request) => {
    if (waits && requests.length === 1) await late;
    return turnOf(request) === 1 ? edit : finishes('edited', ['log.txt']);
  });
  writeModels(workspace, url);
  return { id: `agent-stop-${process.pid}-${where}`, workspace, file, requests, answer };
}

test('a worker stopped in a call, after an answer and before an effect loses its attempts, and does nothing more', async () => {
  const folder = testFolder();
  const [home, held] = [join(folder, 'home'), join(folder, 'held')];
  mkdirSync(held);
  const queue = `agent-stop-${process.pid}`;
  const client = new HeddleClient(connected.temporal, { taskQueue: queue, workflowTaskTimeout: 3_000 });
  const [inCall, answered, claimed] = await Promise.all([
    setStage(folder, 'in-a-call', true),
    setStage(folder, 'after-an-answer', false),
    setStage(folder, 'before-an-effect', false),
  ]);
  const stages = [inCall, answered, claimed];
  const env = { HEDDLE_TASK_QUEUE: queue, HEDDLE_HOST: 'stop', HEDDLE_HOME: home };
  const holds = {
    [answered.id]: { k: 'turn', nth: 1, when: 'after' },
    [claimed.id]: { k: 'claim', nth: 1, when: 'after' },
  } as const;
  const gateway = await openCutGateway(inject('temporalAddress'));
  const first = await startWorkerProcess({ ...env, ...holdingAt(holds, held), TEMPORAL_ADDRESS: gateway.address });
  const tasks = await Promise.all(
    stages.map(({ id, workspace }) => {
      const subtasks = [{ id: 'edit', description: 'Edit log.txt', deliverables: ['log.txt'] }];
      return client.start(vouched({ goal: 'Edit it', workspace, executor: 'agent', subtasks }), { id });
    }),
  );
  await until('all stand', () => inCall.requests.length === 1 && Object.keys(holds).every((id) => isHeld(held, id)));
  first.child.kill('SIGSTOP');
  gateway.cut();
  const second = await startWorkerProcess(env);
  for (const task of tasks) expect(await endOf(task)).toBe('completed');
  expect(stages.map(({ file }) => readFileSync(file, 'utf8'))).toEqual(stages.map(() => after));
  for (const task of tasks) expect(await task.attempts()).toMatchObject([{ attempt: 1, reruns: 1, outcome: 'passed' }]);
  expect(stages.map(({ requests }) => requests.map(turnOf))).toEqual([
    [1, 1, 2],
    [1, 2],
    [1, 2],
  ]);

  // As the first worker left them: what it still did would be seen.
  for (const { file } of stages) writeFileSync(file, before);
  first.child.kill('SIGCONT');
  inCall.answer();
  release(held);
  await until('the first worker has given up all of them', () => stages.every(({ id }) => isLeft(held, id)));
  expect(stages.map(({ file }) => readFileSync(file, 'utf8'))).toEqual(stages.map(() => before));
  expect(stages.map(({ requests }) => requests.length)).toEqual([3, 2, 2]);
  await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')]);
  for (const { workflowId } of tasks) await replay(connected.temporal, workflowId);
}, 120_000);
