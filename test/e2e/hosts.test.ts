// A fleet without a shared disk: each host has its own queue. What a task says while its host is away, that it goes on afterwards, and
// what becomes of running attempts when a worker is asked to stop.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { HeddleClient, type TaskHandle } from '../../client/index.ts';
import { Cli, until } from '../support/cli.ts';
import { endOf, linesOf, shellPlan } from '../support/rig.ts';
import { startWorkerProcess, testFolder } from '../support/worker-process.ts';

let queues = 0;
/** The first run never ends; the second one ends at once. */
const endless = 'echo run >> runs.log; [ -e again ] && { echo done; exit; }; touch again; sleep 600';

let connected: HeddleClient;
beforeAll(async () => {
  connected = await HeddleClient.connect({ address: inject('temporalAddress') });
});
afterAll(() => connected.close());

/** A queue of its own with a folder for homes; tasks of one subtask. */
function setUp() {
  const folder = testFolder();
  const queue = `hosts-${process.pid}-${(queues += 1)}`;
  const client = new HeddleClient(connected.temporal, { taskQueue: queue, workflowTaskTimeout: 3_000 });
  return {
    queue,
    start: async (name: string, sh: string, rest: { host?: string } = {}) => {
      const workspace = join(folder, name);
      mkdirSync(workspace);
      const plan = shellPlan({ work: { sh } }, { workspace, project: queue, ...rest });
      const task = await client.start(plan, { id: `${queue}-${name}` });
      return { task, runs: () => linesOf(join(workspace, 'runs.log')).length };
    },
    worker: (host: string, ...args: string[]) =>
      startWorkerProcess(
        { HEDDLE_TASK_QUEUE: queue, HEDDLE_HOST: host, HEDDLE_HOME: join(folder, host), HEDDLE_GRACE: '5s' },
        ...args,
      ),
  };
}

const saysItWaits = (task: TaskHandle, summary: string): Promise<void> =>
  until(`the status says: ${summary}`, async () => (await task.status()).summary === summary);

test('a host that goes away, or was never there, is what its task waits for; another worker of the same name and home takes over', async () => {
  const { queue, start, worker } = setUp();
  const [alpha, pair] = await Promise.all([worker('alpha'), worker('pair')]);
  const left = await start('left', endless, { host: 'alpha' });
  const shared = await start('shared', endless, { host: 'pair' });
  const { task: nowhere } = await start('nowhere', 'echo done', { host: 'nowhere' });
  await until('the programs run', () => left.runs() === 1 && shared.runs() === 1);
  expect((await left.task.status()).summary).toBe('Running work');
  await saysItWaits(nowhere, 'Waiting for a worker on host nowhere');
  expect(await nowhere.status()).toMatchObject({ state: 'planning' });

  await worker('pair');
  await pair.end('SIGKILL');
  expect(await alpha.end('SIGKILL')).toBe('SIGKILL');
  expect(await endOf(shared.task)).toBe('completed');
  expect(shared.runs()).toBe(2);
  expect((await shared.task.attempts()).map(({ attempt, reruns }) => [attempt, reruns])).toEqual([[1, 1]]);

  await saysItWaits(left.task, 'Waiting for a worker on host alpha');
  expect(await left.task.activity()).toEqual([
    { subtask: 'work', attempt: 1, line: 'waits for a worker on host alpha' },
  ]);
  expect((await left.task.status()).subtasks[0]).toMatchObject({
    state: 'running',
    waitsForWorker: 'a worker on host alpha',
  });
  const cli = new Cli({ TEMPORAL_ADDRESS: inject('temporalAddress'), HEDDLE_TASK_QUEUE: queue });
  expect((await cli.here('status', left.task.id)).stdout).toContain('waits for a worker on host alpha');
  await Promise.all([worker('alpha'), worker('nowhere')]);
  expect(await endOf(left.task)).toBe('completed');
  expect(left.runs()).toBe(2);
  expect((await left.task.status()).summary).not.toContain('alpha');
  expect(await endOf(nowhere)).toBe('completed');
  expect((await nowhere.status()).host).toBe('nowhere');
}, 120_000);

test('a worker for workflows only does no activity; one that is asked to stop lets finish what fits into its grace time, and hands over the rest', async () => {
  const { queue, start, worker } = setUp();
  await worker('thinker', '--workflows-only');
  const long = await start('long', endless);
  await saysItWaits(long.task, `Waiting for a worker on the queue ${queue}`);
  const doer = await worker('doer');
  const short = await start('short', 'echo run >> runs.log; sleep 2; echo done');
  await until('the programs run', () => long.runs() === 1 && short.runs() === 1);
  expect(await doer.end('SIGTERM')).toBe(0);
  expect(long.runs()).toBe(1);
  // By the word of the worker that went, not by a heartbeat that is missed.
  const { raw } = await connected.temporal.workflow.getHandle(long.task.workflowId).describe();
  expect(raw.pendingActivities).toMatchObject([
    { activityType: { name: 'executeSubtask' }, lastFailure: { applicationFailureInfo: { type: 'WorkerShutdown' } } },
  ]);
  await worker('doer');
  expect(await endOf(long.task)).toBe('completed');
  expect((await long.task.status()).host).toBe('doer');
  expect(long.runs()).toBe(2);
  expect(await endOf(short.task)).toBe('completed');
  expect(short.runs()).toBe(1);
}, 120_000);
