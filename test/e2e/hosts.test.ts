// A fleet without a shared disk: each host has its own queue. What a task says while its host is away, that it goes on afterwards, and
// what becomes of running attempts when a worker is asked to stop.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { HeddleClient, type StatusView } from '../../client/index.ts';
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

/** A queue of its own with a folder for homes, and a task of one subtask. */
function setUp() {
  const folder = testFolder();
  const queue = `hosts-${process.pid}-${(queues += 1)}`;
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const client = new HeddleClient(connected.temporal, { taskQueue: queue, workflowTaskTimeout: 3_000 });
  return {
    queue,
    client,
    start: (sh: string, rest: { host?: string } = {}) =>
      client.start(shellPlan({ work: { sh } }, { workspace, project: queue, ...rest }), { id: queue }),
    worker: (host: string, home = `home-${host}`, ...args: string[]) =>
      startWorkerProcess(
        { HEDDLE_TASK_QUEUE: queue, HEDDLE_HOST: host, HEDDLE_HOME: join(folder, home), HEDDLE_GRACE: '5s' },
        ...args,
      ),
    runs: () => linesOf(join(workspace, 'runs.log')).length,
  };
}

describe('a host that goes away', () => {
  test('is what its task says it waits for, and the task goes on when the host is back', async () => {
    const { queue, start, worker, runs } = setUp();
    const [alpha] = await Promise.all([worker('alpha'), worker('beta')]);
    const task = await start(endless, { host: 'alpha' });
    await until('the program runs', () => runs() === 1);
    expect((await task.status()).summary).toBe('Running work');
    expect(await alpha.end('SIGKILL')).toBe('SIGKILL');
    await until('the status names the host', async () => (await task.status()).summary.includes('host alpha'));
    expect(await task.activity()).toEqual([{ subtask: 'work', attempt: 1, line: 'waits for a worker on host alpha' }]);
    const cli = new Cli({ TEMPORAL_ADDRESS: inject('temporalAddress'), HEDDLE_TASK_QUEUE: queue });
    const status = await cli.json<StatusView>('status', queue);
    expect(status.summary).toBe('Waiting for a worker on host alpha');
    expect(status.subtasks[0]).toMatchObject({ state: 'running', waitsForWorker: 'a worker on host alpha' });
    expect((await cli.run('status', queue)).stdout).toContain('waits for a worker on host alpha');
    await worker('alpha');
    expect(await endOf(task)).toBe('completed');
    expect(runs()).toBe(2);
    expect((await task.status()).summary).not.toContain('alpha');
  }, 120_000);

  test('is taken over by another worker of the same name that shares its home', async () => {
    const { start, worker, runs } = setUp();
    const first = await worker('pair', 'home');
    const task = await start(endless);
    await until('the program runs', () => runs() === 1);
    await worker('pair', 'home');
    await first.end('SIGKILL');
    expect(await endOf(task)).toBe('completed');
    expect(runs()).toBe(2);
    expect((await task.attempts()).map(({ attempt, reruns }) => [attempt, reruns])).toEqual([[1, 1]]);
  }, 120_000);
});

test('a plan for a host that nobody serves says so while it is prepared', async () => {
  const { start, worker } = setUp();
  await worker('beta');
  const task = await start('echo done', { host: 'nowhere' });
  await until('the status names the host', async () => (await task.status()).summary.includes('nowhere'));
  expect(await task.status()).toMatchObject({
    state: 'planning',
    summary: 'Waiting for a worker on host nowhere',
  });
  await worker('nowhere');
  expect(await endOf(task)).toBe('completed');
  expect((await task.status()).host).toBe('nowhere');
}, 120_000);

test('a worker for workflows only does no activity: the task says that it waits for another one', async () => {
  const { queue, start, worker } = setUp();
  await worker('thinker', 'home-thinker', '--workflows-only');
  const task = await start('echo done');
  const missing = `Waiting for a worker on the queue ${queue}`;
  await until('the status says so', async () => (await task.status()).summary === missing);
  await worker('doer');
  expect(await endOf(task)).toBe('completed');
  expect((await task.status()).host).toBe('doer');
}, 120_000);

describe('a worker that is asked to stop', () => {
  test('lets an attempt finish that fits into the grace time', async () => {
    const { start, worker, runs } = setUp();
    const alpha = await worker('alpha');
    const task = await start('echo run >> runs.log; sleep 2; echo done');
    await until('the program runs', () => runs() === 1);
    expect(await alpha.end('SIGTERM')).toBe(0);
    await worker('alpha');
    expect(await endOf(task)).toBe('completed');
    expect(runs()).toBe(1);
  }, 120_000);

  test('hands over one that does not, and the next worker runs it again at once', async () => {
    const { start, worker, runs } = setUp();
    const alpha = await worker('alpha');
    const task = await start(endless);
    await until('the program runs', () => runs() === 1);
    const asked = Date.now();
    expect(await alpha.end('SIGTERM')).toBe(0);
    expect(Date.now() - asked).toBeGreaterThan(4_500);
    // By the word of the worker that went, not by a heartbeat that is missed.
    const { raw } = await connected.temporal.workflow.getHandle(task.workflowId).describe();
    expect(raw.pendingActivities).toMatchObject([
      { activityType: { name: 'executeSubtask' }, lastFailure: { applicationFailureInfo: { type: 'WorkerShutdown' } } },
    ]);
    await worker('alpha');
    expect(await endOf(task)).toBe('completed');
    expect(runs()).toBe(2);
  }, 120_000);
});
