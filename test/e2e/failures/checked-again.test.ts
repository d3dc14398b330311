// A verification that could not be done is done again alone: the program that was paid for does not run a second time.
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HeddleClient, type TaskHandle } from '../../../client/index.ts';
import { alive } from '../../support/cli.ts';
import { eventsOf, isEvent } from '../../support/events.ts';
import { endOf, eventOf, linesOf, replay, shellPlan, useRig } from '../../support/rig.ts';
import { runsIn, until, witness } from '../../support/witness.ts';
import { startWorkerProcess, testFolder } from '../../support/worker-process.ts';

const rig = useRig();
const paid = `${witness}; echo '{"status":"success","costUsd":1,"tokens":10}'`;

/** Activities of attempts that were scheduled, in their order. */
async function scheduledOf(task: TaskHandle): Promise<string[]> {
  const { events } = await rig.temporal.workflow.getHandle(task.workflowId).fetchHistory();
  const ids = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes?.activityId ?? []);
  return ids.filter((id) => /-(?:execute|verify)$/.test(id));
}

test('a verify command whose server refuses the connection is repeated after a wait, without the program', async () => {
  const server = createServer((socket) => socket.end());
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const connect = `echo check >> checks.log; node -e "require('net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0))"`;
  const workspace = rig.workspace();
  const task = await rig.start(shellPlan({ work: { sh: paid, verify: [connect] } }, { workspace }));
  const suspended = await eventOf(task, isEvent('attempt.suspended'));
  expect(suspended).toMatchObject({
    subtask: 'work',
    attempt: 1,
    why: 'environment',
    phase: 'verify',
    waitMs: 5_000,
  });
  await listen(port);
  onTestFinished(() => void server.close());
  expect(await endOf(task)).toBe('completed');
  expect(runsIn(workspace)).toHaveLength(1);
  expect(linesOf(join(workspace, 'checks.log'))).toHaveLength(2);
  expect(await scheduledOf(task)).toEqual(['work-1-execute', 'work-1-verify', 'work-1-verify']);
  expect(await task.attempts()).toMatchObject([
    { attempt: 1, outcome: 'passed', verdict: 'pass', reruns: 0, waits: [{ ms: 5_000 }], costUsd: 1, tokens: 10 },
  ]);
  expect((await task.status()).budget).toMatchObject({ costUsd: { used: 1 }, tokens: { used: 10 } });
  const events = await task.events();
  expect(eventsOf(events, 'attempt.resumed')).toMatchObject([{ subtask: 'work', attempt: 1, why: 'environment' }]);
  expect(eventsOf(events, 'attempt.rerun')).toEqual([]);
});

const policies = [
  { name: 'by the retry policy', tries: 10, waits: 0 },
  { name: 'after a wait when the policy is spent', tries: 1, waits: 1 },
];

test('a verification whose worker is killed is repeated, by the retry policy or after a wait when that is spent, without the program', async () => {
  const folder = testFolder();
  const queue = `${rig.taskQueue}-killed`;
  const startWorker = () =>
    startWorkerProcess({ HEDDLE_TASK_QUEUE: queue, HEDDLE_HOST: 'alpha', HEDDLE_HOME: join(folder, 'home') });
  const worker = await startWorker();
  const client = new HeddleClient(rig.temporal, { taskQueue: queue, workflowTaskTimeout: 3_000 });
  const started = await Promise.all(
    policies.map(async ({ name, tries, waits }) => {
      const workspace = join(folder, `tries-${tries}`);
      mkdirSync(workspace);
      const retry = { initialInterval: '50ms', backoff: 1, maximumInterval: '50ms', maximumAttempts: tries };
      const ladder = [{ tier: 'assigned' as const, retry }, { person: true }];
      const verify = 'echo check >> checks.log; [ -e pid ] || { echo $$ > pid; while [ -e pid ]; do sleep 1; done; }';
      const task = await client.start(shellPlan({ work: { sh: paid, verify: [verify] } }, { workspace, ladder }));
      return { name, waits, task, workspace, checks: () => linesOf(join(workspace, 'checks.log')).length };
    }),
  );
  await until(() => started.every(({ checks }) => checks() === 1), 60_000);
  expect(await worker.end('SIGKILL')).toBe('SIGKILL');
  await startWorker();
  for (const { name, waits, task, workspace, checks } of started) {
    expect(await endOf(task), name).toBe('completed');
    expect(runsIn(workspace)).toHaveLength(1);
    expect(checks(), name).toBe(2);
    // The programs of the killed worker were ended first.
    expect(alive(Number(readFileSync(join(workspace, 'pid'), 'utf8'))), name).toBe(false);
    const suspended = eventsOf(await task.events(), 'attempt.suspended');
    expect(
      suspended.map(({ why, phase }) => `${why} ${phase}`),
      name,
    ).toEqual(Array(waits).fill('environment verify'));
    expect(await task.attempts()).toMatchObject([{ attempt: 1, outcome: 'passed', reruns: 0, costUsd: 1 }]);
    await replay(rig.temporal, task.workflowId);
  }
}, 120_000);
