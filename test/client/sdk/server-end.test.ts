// A task that Temporal ended had no chance to say so: the server's word holds, for every command, with and without a worker.
import { defineSearchAttributeKey } from '@temporalio/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endOfTask } from '../../../client/terminal/follow/end-of-task.ts';
import { main } from '../../../client/cli/main.ts';
import { Output } from '../../../client/cli/shared/output.ts';
import type { Ports } from '../../../client/ports/ports.ts';
import type { Endpoint } from '../../../client/ports/service.ts';
import type { TaskHandle } from '../../../client/index.ts';
import { clientLimits } from '../../../client/limits/client-limits.ts';
import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import { end, useScriptedRig } from '../../support/scripted-rig.ts';
import { decision, status, subtask, testPorts } from '../cli/shared/support.ts';

const rig = useScriptedRig();

const running = (id = 't') =>
  status({
    id,
    state: 'waiting',
    lastEventId: 3,
    subtasks: [subtask('a', { state: 'running', attempts: 1 })],
    decisions: [decision()],
  });

/** After its first answer: a workflow that never ran has nothing to tell. */
async function terminate(task: TaskHandle, reason?: string): Promise<void> {
  await task.status();
  await rig.client.temporal.workflow.getHandle(task.workflowId).terminate(reason);
}

const endpoint = (): Endpoint => ({
  // The rig closes it.
  client: Object.assign(Object.create(rig.client) as typeof rig.client, { close: () => Promise.resolve() }),
  address: rig.address,
  namespace: 'default',
  webUi: null,
  local: false,
});

/** A command on this server, and what it said. */
async function heddle(argv: string[], given: Partial<Ports> = {}) {
  const { ports, stdout, stderr } = testPorts({
    connect: () => Promise.resolve(endpoint()),
    // These tasks have no workspace on this machine.
    diffTask: () => Promise.resolve(undefined),
    ...given,
  });
  return { exit: await main(argv, ports), stdout: stdout(), stderr: stderr() };
}

test('a terminated task is failed, with who and why, while its subtasks stay as they were', async () => {
  const task = await rig.start({ status: running(), events: 3, attempts: 1 });
  expect(await task.status()).toMatchObject({ state: 'waiting', endedAt: null });
  await terminate(task, 'the disk\nis full');
  const after = await task.status();
  expect(after).toMatchObject({
    state: 'failed',
    summary: expect.stringMatching(/^Terminated by \S+: the disk is full$/) as string,
    endedAt: expect.stringMatching(/Z$/) as string,
    subtasks: [{ id: 'a', state: 'running' }],
    decisions: [],
  });
  expect(await task.end()).toMatchObject({ state: 'failed', own: false });
  await expect(task.result()).rejects.toMatchObject({
    code: 'TASK_FAILED',
    message: expect.stringContaining('disk') as string,
  });
  await expect(task.cancel()).rejects.toMatchObject({ code: 'TASK_ENDED' });
  const seen: number[] = [];
  for await (const { id } of task.follow()) seen.push(id);
  expect(seen).toEqual([1, 2, 3]);
});

test('status, list, watch, report and inbox say so, and watch exits with 1', async () => {
  const task = await rig.start({ status: running(), events: 3, attempts: 1 });
  await terminate(task, 'no reason to go on');
  const shown = await heddle(['status', task.id]);
  expect([shown.exit, shown.stdout.split('\n')[0]]).toEqual([
    0,
    expect.stringMatching(/^✗ Terminated by .*: no reason/),
  ]);
  const watched = await heddle(['watch', task.id]);
  expect([watched.exit, watched.stdout]).toEqual([
    1,
    expect.stringMatching(/✗ Failed in .*: Terminated by .*: no reason/),
  ]);
  const json = await heddle(['watch', task.id, '--json']);
  expect([json.exit, JSON.parse(json.stderr)]).toMatchObject([1, { error: { code: 'TASK_FAILED' } }]);
  expect(json.stderr).toContain('no reason to go on');
  const report = await heddle(['report', task.id, '--json']);
  expect(JSON.parse(report.stdout)).toMatchObject({ state: 'failed', attempts: { total: 1 } });
  await expect.poll(async () => (await rig.client.list()).find(({ id }) => id === task.id)?.state).toBe('failed');
  const inbox = JSON.parse((await heddle(['inbox', '--json'])).stdout) as { taskId: string }[];
  expect(inbox.filter(({ taskId }) => taskId === task.id)).toEqual([]);
});

test('a task that was open for longer than allowed is failed, and says that', async () => {
  const task = await rig.start({ status: running() }, { timeout: 1_000 });
  await expect
    .poll(() => task.status(), { timeout: 15_000 })
    .toMatchObject({
      state: 'failed',
      summary: expect.stringMatching(/^Timed out/) as string,
    });
});

test('undo of it is not refused: nothing runs, whatever it last said', async () => {
  const task = await rig.start({ status: running(), events: 3 });
  expect((await heddle(['undo', task.id, 'a', '--json'])).stderr).toContain('TASK_RUNNING');
  await terminate(task);
  const asked: unknown[] = [];
  const undoTask: Ports['undoTask'] = (subject, options) => {
    asked.push({ ...subject, ...options });
    return Promise.resolve({
      taskId: task.id,
      subtask: 'a',
      workspace: '/w',
      dryRun: false,
      files: [],
      gaps: [],
      outside: [],
      changedByOthers: [],
    });
  };
  expect((await heddle(['undo', task.id, 'a'], { undoTask })).exit).toBe(0);
  expect((await heddle(['undo', task.id], { undoTask })).exit).toBe(0);
  expect(asked).toMatchObject([
    { subtask: 'a', ended: true, isInPlan: true },
    { subtask: null, ended: true },
  ]);
});

test('a task that fails without a word of its own is failed with what the server was told', async () => {
  const task = await rig.start({ status: running(), events: 3 });
  await end(rig, task, { fail: 'ODD' });
  await expect.poll(() => task.end()).toBeDefined();
  expect(await task.status()).toMatchObject({
    state: 'failed',
    summary: expect.stringContaining('did not fit') as string,
  });
  const refused = await rig.start({ status: running(), events: 3 });
  await end(rig, refused, { fail: 'PLAN_INVALID' });
  await expect.poll(() => refused.end()).toBeDefined();
  expect((await heddle(['watch', refused.id])).exit).toBe(2);
});

test('one task that answers nothing does not hide the others of the inbox, and is named', async () => {
  const silent = await rig.start({});
  const asking = await rig.start({ status: running('asks') });
  await expect
    .poll(async () => (await rig.client.list()).map(({ id }) => id))
    .toEqual(expect.arrayContaining([silent.id, asking.id]));
  // Each waits for the silent one: both at once.
  const [json, plain] = await Promise.all([heddle(['inbox', '--json']), heddle(['inbox'])]);
  await rig.client.temporal.workflow.getHandle(silent.workflowId).terminate();
  expect(json.exit).toBe(0);
  const items = JSON.parse(json.stdout) as { taskId: string; id: string }[];
  expect(items.filter(({ taskId }) => taskId === asking.id)).toMatchObject([{ id: 'deploy-1' }]);
  expect(items.filter(({ taskId }) => taskId === silent.id)).toEqual([]);
  const line = json.stderr.split('\n').find((text) => text.includes(silent.id)) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({
    warning: { message: expect.stringContaining('is not responding') as string },
  });
  expect(plain.stderr).toContain(`warning: The task ${silent.id} is not responding`);
});

test('a task that the server knows to wait for nobody is not asked', async () => {
  const state = defineSearchAttributeKey('HeddleState', 'KEYWORD');
  const waitingOn = defineSearchAttributeKey('HeddleWaitingOn', 'KEYWORD_LIST');
  const busy = await rig.start({}, { attributes: [{ key: state, value: 'running' }] });
  const asking = await rig.start(
    { status: running() },
    {
      attributes: [
        { key: state, value: 'waiting' },
        { key: waitingOn, value: ['escalation'] },
      ],
    },
  );
  await expect
    .poll(async () => (await rig.client.list()).map(({ id }) => id))
    .toEqual(expect.arrayContaining([busy.id, asking.id]));
  const { items, silent } = await rig.client.inbox();
  expect(items.map(({ taskId }) => taskId)).toContain(asking.id);
  expect(silent.map(({ taskId }) => taskId)).not.toContain(busy.id);
});

test('that a task told of its end is no success: who follows it waits for the word of the server', async () => {
  const task = await rig.start({ status: running(), events: 3, tellsEnd: true });
  const [told] = (await task.events()).slice(-1);
  const away = new HeddleError({ code: 'TEMPORAL_UNREACHABLE', message: 'nobody there' });
  const handle = Object.assign(Object.create(task) as TaskHandle, { end: () => Promise.reject(away) });
  const { ports, stdout } = testPorts();
  const context = { ports, output: new Output(ports, { json: false }) };
  const endLater = sleep(clientLimits.closing.most + 1_000).then(() => end(rig, task, { fail: 'ODD' }));
  // Each waits for longer than an end takes: all at once.
  const [watched, unreachable] = await Promise.all([
    heddle(['watch', task.id]),
    endOfTask(context, { endpoint: endpoint(), handle }, told).catch((error: unknown) => error),
    endLater,
  ]);
  expect([watched.exit, watched.stdout]).toEqual([1, expect.stringContaining('did not fit')]);
  expect([unreachable, stdout()]).toEqual([away, '']);
});

test('without a worker too: what the server ended is failed, and how a task ended decides the exit of who follows it', async () => {
  const ended = await rig.start({ status: running(), events: 3 });
  const completed = await rig.start({ status: running(), events: 3 });
  await terminate(ended, 'gone');
  await end(rig, completed);
  await expect.poll(() => completed.end()).toMatchObject({ state: 'completed', own: true });
  await rig.stopWorker();
  const { ports, stdout, stderr } = testPorts();
  const context = { ports, output: new Output(ports, { json: false }) };
  // Each waits for a worker: all at once.
  const [told, watched, asked, exit] = await Promise.all([
    ended.status(),
    heddle(['watch', ended.id]),
    completed.status().catch((error: unknown) => error),
    endOfTask(context, { endpoint: endpoint(), handle: completed }, undefined),
  ]);
  expect(told).toMatchObject({
    state: 'failed',
    goal: 'a scripted goal',
    summary: expect.stringMatching(
      /^Terminated by .*: gone; no worker is responding, so its subtasks are not known$/,
    ) as string,
    subtasks: [],
  });
  expect([watched.exit, watched.stdout]).toEqual([1, expect.stringContaining('Failed')]);
  expect(asked).toMatchObject({ code: 'NO_WORKER' });
  expect(exit).toBe(0);
  expect([stdout(), stderr()]).toEqual([
    expect.stringContaining('✓ Completed'),
    expect.stringContaining('The summary is not available: No worker is responding'),
  ]);
}, 120_000);
