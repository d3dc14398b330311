// A provider that does not answer is no reason for a worse plan: the task waits, says until when and why, and asks a person in the end.
import { mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { HeddleClient, type EventOfTask } from '../../../client/index.ts';
import { eventsOf, isEvent } from '../../support/events.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';
import { serveScript } from '../../support/scripted-models.ts';
import { vouched } from '../../support/vouched.ts';
import { startWorkerProcess, testFolder } from '../../support/worker-process.ts';
import {
  configureUnreachable,
  finishes,
  goodPlan,
  playModels,
  plans,
  startGoal,
  writes,
  type Entry,
} from './support.ts';

const rig = useRig();

/** A goal whose plan may not become worse. */
const strict = { goal: 'Write the notes', planning: { tries: 1, degraded: 'deny' as const } };
const suspended = isEvent('plan.suspended');
const planner = (reply: Entry['reply']): Entry => ({ when: { role: 'planner', turn: 1 }, reply });
const work = [finishes('inspect'), ...writes('notes', 'notes.md', 'x\n')];

/** From now on the service answers at that port. */
async function openAt(port: number, url: string): Promise<void> {
  const server = createServer((socket) => {
    const service = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => service.destroy()).pipe(service);
    service.on('error', () => socket.destroy()).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
}

test('an unreachable provider is waited for on a durable timer, through a kill of the worker', async () => {
  const folder = testFolder();
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const port = await configureUnreachable(workspace, '[limits]\nenvironmentWait = { first = "8s", factor = 1 }\n');
  const taskQueue = `outage-${process.pid}`;
  const env = { HEDDLE_HOME: join(folder, 'home'), HEDDLE_TASK_QUEUE: taskQueue, HEDDLE_HOST: 'one' };
  const first = await startWorkerProcess(env);
  const client = new HeddleClient(rig.temporal, { taskQueue });
  const task = await client.start(vouched({ workspace, planApproval: true, ...strict }));
  rig.adopt(task.workflowId);
  const event = await eventOf(task, suspended);
  const reason = 'The provider p cannot be reached (ECONNREFUSED)';
  expect(event).toMatchObject({ waitMs: 8_000, reason, nth: 1, most: 5 });
  expect(event.text).toBe('Retrying in 8 s (wait 1 of 5): the provider p cannot be reached (ECONNREFUSED).');
  const { state, summary, plannerRetry } = await task.status();
  expect({ state, plannerRetry }).toMatchObject({ state: 'planning', plannerRetry: { reason, nth: 1, most: 5 } });
  expect(Date.parse(plannerRetry?.at ?? '') - Date.parse(event.time)).toBe(8_000);
  expect(summary).toMatch(/^Retrying the plan at \d\d:\d\d:\d\d UTC: the provider p cannot be reached/);
  await first.end('SIGKILL');
  const { url } = await serveScript([{ text: JSON.stringify(goodPlan) }]);
  await openAt(port, url);
  await startWorkerProcess(env);
  await eventOf(task, decisionOpened('plan-1'));
  expect((await task.status()).plannerRetry).toBeUndefined();
  expect(eventsOf(await task.events(), 'plan.degraded')).toEqual([]);
  await task.cancel();
  expect(await endOf(task)).toBe('cancelled');
}, 90_000);

test('after the last wait a person is asked, an answer begins the waits again, and a cancel ends one', async () => {
  const workspace = rig.workspace();
  await configureUnreachable(workspace, '[limits]\nenvironmentWait = { first = "50ms", factor = 9, times = 2 }\n');
  const task = await rig.start({ workspace, ...strict });
  const { id, decision } = await eventOf(task, decisionOpened());
  expect(decision).toMatchObject({ id: 'planning-1', kind: 'escalation', subtask: null, recommendation: 'retry' });
  expect(decision.options.map((option) => option.id)).toEqual(['retry', 'abort']);
  expect(decision.problem).toMatch(/cannot be reached.*asked again 2 times/);
  expect(eventsOf(await task.events(), 'plan.suspended').map(({ waitMs }) => waitMs)).toEqual([50, 450]);
  expect((await task.status()).state).toBe('waiting');
  await task.decide({ decisionId: 'planning-1', option: 'retry' });
  expect(await eventOf(task, suspended, id)).toMatchObject({ nth: 1, waitMs: 50 });
  await task.cancel();
  expect(await endOf(task)).toBe('cancelled');
});

test('a wait stands still in a pause, and the plan is made after it', async () => {
  const { task } = await startGoal(
    rig,
    [planner({ status: 429, retryAfter: '2s' }), ...plans(goodPlan), ...work],
    strict,
  );
  const { waitMs } = await eventOf(task, suspended);
  expect(waitMs).toBe(2_000);
  await task.pause({ reason: 'lunch' });
  await sleep(2_500);
  expect(await task.status()).toMatchObject({ state: 'paused', subtasks: [] });
  expect(eventsOf(await task.events(), 'plan.resumed')).toEqual([]);
  await task.resume();
  expect(await endOf(task)).toBe('completed');
  const events = await task.events();
  const timeOf = (type: EventOfTask['type']): number =>
    Date.parse(events.find((event) => event.type === type)?.time ?? '');
  const left = waitMs - (timeOf('task.paused') - timeOf('plan.suspended'));
  expect(timeOf('plan.resumed') - timeOf('task.resumed')).toBeGreaterThanOrEqual(left);
});

test('people see what is asked just now, and until when an activity waits for its next try', async () => {
  const { task } = await startGoal(rig, [planner({ text: 'no', delay: '4s' }), ...work], {
    ...strict,
    planning: { tries: 1 },
    verify: ['test -e notes.md'],
  });
  const line = async (): Promise<string | undefined> =>
    (await task.activity()).find(({ subtask }) => subtask === null)?.line;
  await expect.poll(line, { timeout: 10_000 }).toBe('Asking all for the plan, try 1 of 1');
  await task.cancel();
  const busyProgram = await rig.start(shellPlan({ work: { sh: 'echo "retry-after: 20" >&2; exit 75' } }));
  const waits = async (): Promise<string> => (await busyProgram.activity())[0]?.line ?? '';
  await expect.poll(waits, { timeout: 10_000 }).toMatch(/^Retrying in \d+ s: /);
  await busyProgram.cancel();
}, 30_000);

test('a planner that is busy or refused while the plan runs is waited for, then a person is asked', async () => {
  const replan = { reason: 'Shorter.', subtasks: [{ id: 'hard', description: 'be short' }], superseded: [] };
  const script = [
    planner({ status: 503 }),
    planner({ status: 401 }),
    planner({ status: 401 }),
    planner({ text: JSON.stringify(replan) }),
  ];
  const start = async () => {
    const workspace = rig.workspace();
    playModels(workspace, script);
    const plan = shellPlan({ hard: { sh: 'grep "be short"' } }, { workspace });
    const task = await rig.start({ ...plan, ladder: [{ tier: 'assigned' }, { person: true }] });
    await eventOf(task, decisionOpened('hard-1'));
    await task.decide({ decisionId: 'hard-1', option: 'replan' });
    const { decision } = await eventOf(task, decisionOpened('planning-1'));
    expect(decision).toMatchObject({ kind: 'escalation', subtask: null, recommendation: 'provide-credentials' });
    expect(decision.options.map(({ id }) => id)).toEqual(['retry', 'provide-credentials', 'skip', 'abort']);
    expect(eventsOf(await task.events(), 'plan.suspended')).toMatchObject([{ nth: 1, waitMs: 1_000 }]);
    return task;
  };
  const mended = await start();
  await mended.decide({ decisionId: 'planning-1', option: 'retry' });
  await eventOf(mended, decisionOpened('planning-2'));
  await mended.decide({ decisionId: 'planning-2', option: 'provide-credentials' });
  expect(await endOf(mended)).toBe('completed');
  expect(await mended.status()).toMatchObject({ planVersion: 2, subtasks: [{ id: 'hard', attempts: 2 }] });
  const kept = await start();
  await kept.decide({ decisionId: 'planning-1', option: 'skip' });
  await eventOf(kept, decisionOpened('hard-2'));
  expect(await kept.status()).toMatchObject({ planVersion: 1, state: 'waiting' });
  await kept.decide({ decisionId: 'hard-2', option: 'abort' });
  expect(await endOf(kept)).toBe('cancelled');
}, 60_000);
