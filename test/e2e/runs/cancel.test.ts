// Stopping a task: programs are gone, what is done is kept, the rest is skipped, and Temporal says Canceled.
import { CancelledFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { createPrepareTask } from '../../../activities/prepare/prepare-task.ts';
import { FileStore } from '../../../activities/store/file-store.ts';
import { readIdentity } from '../../../activities/programs/process-identity.ts';
import type { TaskHandle } from '../../../client/index.ts';
import { emptyMemory } from '../../../domain/memory/memory.ts';
import { buildHostQueue } from '../../../domain/names/names.ts';
import { isEvent } from '../../support/events.ts';
import { codeOf, decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';
import { useOwnActivity } from '../../support/own-activity.ts';
import { namesOf, until, witness } from '../../support/witness.ts';

const rig = useRig();
/** An activity that no cancellation reaches: it has no heartbeat. */
let release = (): void => undefined;
const deaf = useOwnActivity(rig, ({ workspace }) => {
  writeFileSync(join(workspace, 'called'), '');
  return new Promise((resolve) => (release = () => resolve({ status: 'success' })));
});
const ok = `${witness}; echo done`;
const asks = `${witness}; echo "not allowed" >&2; exit 77`;
/** Leaves its pid and that of a child, and does not end by itself. */
const endless = `${witness}; sleep 600 & echo "$$ $!" > pids.txt; wait`;

const pidsIn = (workspace: string): number[] =>
  readFileSync(join(workspace, 'pids.txt'), 'utf8').trim().split(' ').map(Number);
const statesOf = async (task: TaskHandle): Promise<Record<string, string>> =>
  Object.fromEntries((await task.status()).subtasks.map(({ id, state }) => [id, state]));
const temporalStatus = async (task: TaskHandle): Promise<string> =>
  (await rig.temporal.workflow.getHandle(task.workflowId).describe()).status.name;

/** A task with one subtask done, one that runs and one that has not started. */
async function startHalfDone(workspace: string): Promise<{ task: TaskHandle; pids: number[] }> {
  const task = await rig.start(
    shellPlan(
      { done: { sh: ok }, runs: { sh: endless, dependsOn: ['done'] }, later: { sh: ok, dependsOn: ['runs'] } },
      { workspace },
    ),
  );
  await until(() => existsSync(join(workspace, 'pids.txt')) && pidsIn(workspace).length === 2);
  const pids = pidsIn(workspace);
  expect(pids.every((pid) => readIdentity(pid) !== undefined)).toBe(true);
  return { task, pids };
}

describe('cancel', () => {
  test('kills the running program with its children, keeps what is done and skips the rest', async () => {
    const workspace = rig.workspace();
    const { task, pids } = await startHalfDone(workspace);
    await task.cancel();
    expect(await endOf(task)).toBe('cancelled');
    expect(pids.filter((pid) => readIdentity(pid) !== undefined)).toEqual([]);
    expect(await statesOf(task)).toEqual({ done: 'completed', runs: 'skipped', later: 'skipped' });
    expect(namesOf(workspace)).toEqual(['done', 'runs']);
    expect((await task.attempts()).map(({ subtask, outcome }) => `${subtask} ${outcome}`)).toEqual([
      'done passed',
      'runs cancelled',
    ]);
    const error: unknown = await rig.temporal.workflow
      .getHandle(task.workflowId)
      .result()
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect((error as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
    expect(await temporalStatus(task)).toBe('CANCELLED');
    expect(await codeOf(task.result())).toBe('TASK_CANCELLED');
    await until(async () => (await rig.client.list("HeddleState = 'cancelled'")).some(({ id }) => id === task.id));
    const types = (await task.events()).map(({ type }) => type);
    expect(types.slice(-4)).toEqual(['task.cancelling', 'subtask.skipped', 'subtask.skipped', 'task.ended']);
  });

  test('twice, and of a task that is paused, waits for an answer or for a plan, ends it once', async () => {
    const paused = await rig.start(shellPlan({ work: { sh: ok } }, { planApproval: true }));
    const waiting = await rig.start(shellPlan({ work: { sh: asks }, behind: { sh: ok, dependsOn: ['work'] } }));
    await eventOf(paused, decisionOpened('plan-1'));
    await paused.pause();
    await eventOf(waiting, decisionOpened('work-1'));
    for (const task of [paused, waiting]) {
      await Promise.all([task.cancel(), task.cancel()]);
      expect(await endOf(task)).toBe('cancelled');
      expect(await temporalStatus(task)).toBe('CANCELLED');
      expect((await task.events()).filter(({ type }) => type === 'task.ended')).toHaveLength(1);
      expect(await codeOf(task.decide({ decisionId: 'work-1', option: 'retry' }))).toBe('TASK_ENDED');
    }
    expect(await statesOf(waiting)).toEqual({ work: 'skipped', behind: 'skipped' });
    expect(await waiting.status()).toMatchObject({ state: 'cancelled', decisions: [] });
    const asked = await rig.client.list("HeddleWaitingOn = 'escalation' OR HeddleWaitingOn = 'plan'");
    expect(asked.map(({ id }) => id)).not.toContain(waiting.id);
  });

  test('during a wait for the environment ends at once', async () => {
    const workspace = rig.workspace();
    const sh = `${witness}; echo "ENOSPC: no space left on device" >&2; exit 1`;
    const task = await rig.start(shellPlan({ work: { sh } }, { workspace }));
    expect(await eventOf(task, isEvent('attempt.suspended'))).toMatchObject({ why: 'environment', phase: 'execute' });
    await task.cancel();
    expect(await endOf(task)).toBe('cancelled');
    expect(namesOf(workspace)).toEqual(['work']);
    expect(await task.attempts()).toMatchObject([{ outcome: 'cancelled', waits: [{ ms: 5_000 }] }]);
  });

  test('ends without what does not stop in time, and names it', async () => {
    const workspace = rig.workspace();
    writeFileSync(join(workspace, 'heddle.toml'), '[limits]\ncancelGrace = "1s"\n');
    const task = await rig.start({
      goal: 'stop',
      workspace,
      subtasks: [
        { id: 'deaf', executor: deaf },
        { id: 'later', dependsOn: ['deaf'], executor: deaf },
      ],
    });
    await until(() => existsSync(join(workspace, 'called')));
    await task.cancel();
    expect(await endOf(task)).toBe('cancelled');
    const [forced, ...others] = (await task.events()).filter(isEvent('task.cancel-forced'));
    expect(others).toEqual([]);
    expect(forced).toMatchObject({
      running: ['deaf'],
      text: 'The task ends without deaf, which did not stop within 1 s.',
    });
    expect(await statesOf(task)).toEqual({ deaf: 'skipped', later: 'skipped' });
    expect((await task.attempts()).map(({ outcome }) => outcome)).toEqual(['cancelled']);
    release();
  });

  test('before the first workflow task runs nothing', async () => {
    await rig.stopWorker();
    const workspace = rig.workspace();
    const task = await rig.start(shellPlan({ work: { sh: ok } }, { workspace }));
    await task.cancel();
    await rig.restartWorker();
    await rig.temporal.workflow
      .getHandle(task.workflowId)
      .result()
      .catch(() => undefined);
    expect(await temporalStatus(task)).toBe('CANCELLED');
    expect(namesOf(workspace)).toEqual([]);
  });
});

describe('abort', () => {
  test('ends the task as cancelled, in the words of Temporal too, and kills what runs', async () => {
    const workspace = rig.workspace();
    const task = await rig.start(
      shellPlan({ stuck: { sh: asks }, runs: { sh: endless }, later: { sh: ok, dependsOn: ['stuck'] } }, { workspace }),
    );
    await eventOf(task, decisionOpened());
    await until(() => existsSync(join(workspace, 'pids.txt')));
    const answer = await task.decide({ decisionId: 'stuck-1', option: 'abort', by: 'ana' });
    expect(answer).toEqual({ taskId: task.id, decisionId: 'stuck-1', option: 'abort' });
    expect(await endOf(task)).toBe('cancelled');
    expect(pidsIn(workspace).filter((pid) => readIdentity(pid) !== undefined)).toEqual([]);
    expect(await task.status()).toMatchObject({ state: 'cancelled', summary: 'ana stopped it', decisions: [] });
    expect(await statesOf(task)).toEqual({ stuck: 'skipped', runs: 'skipped', later: 'skipped' });
    await task.result().catch(() => undefined);
    expect(await temporalStatus(task)).toBe('CANCELLED');
  });
});

describe('a task whose work is done', () => {
  test('is not cancelled any more while it tells its project what it learned', async () => {
    const taskQueue = `slow-memory-${process.pid}`;
    const connection = await NativeConnection.connect({ address: inject('temporalAddress') });
    const prepareTask = createPrepareTask(
      {
        host: rig.host,
        hostQueue: () => Promise.resolve(buildHostQueue(rig.taskQueue, rig.host)),
        secrets: new EnvironmentSecrets(process.env),
        storeFolder: rig.storeFolder,
        searchAttributes: () => Promise.resolve([]),
        server: () => Promise.resolve({ id: 'server-1', namespace: 'default' }),
        readMemory: (project) => Promise.resolve(emptyMemory(project)),
      },
      new FileStore(rig.storeFolder),
    );
    // The real one is over in an instant, too short to meet.
    const rememberTask = () => sleep(1_500);
    const worker = await Worker.create({
      connection,
      taskQueue,
      workflowBundle: { codePath: inject('bundlePath') },
      activities: { prepareTask, rememberTask },
    });
    await worker.runUntil(async () => {
      const workflowId = `task-late-${process.pid}`;
      const sh = '[ $HEDDLE_ATTEMPT = 1 ] && { echo broke >&2; exit 1; }; echo done';
      const plan = shellPlan({ work: { sh } }, { workspace: rig.workspace() });
      await rig.temporal.workflow.start('task', { workflowId, taskQueue, args: [plan] });
      const task = rig.adopt(workflowId);
      await eventOf(task, ({ type }) => type === 'subtask.completed');
      await task.cancel();
      expect(await task.result()).toMatchObject({ state: 'completed' });
      expect(await endOf(task)).toBe('completed');
    });
    await connection.close();
  });
});
