// Temporal makes another try of an attempt whose program still runs: after a stop of the machine, of its worker, or of the server.
import { ActivityCancellationDetails, CancelledFailure } from '@temporalio/common';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';

import { nextTryWithin } from '../../../../activities/temporal/cancellation.ts';
import { readIdentity } from '../../../../activities/programs/process-identity.ts';
import { activityLimits } from '../../../../activities/limits/activity-limits.ts';
import { activityEnvironment, eventually, isGone, makeRig, readWhenThere, startWorker } from './support.ts';
import type { Rig } from './support.ts';

const sh = (script: string): string[] => ['sh', '-c', script];

/** Says that it runs, and waits until it may end. */
const given = {
  run: sh('echo run >> runs; echo begun; echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo end'),
};

type Placed = Pick<Rig, 'workspace'>;
const pidIn = async (rig: Placed): Promise<number> => Number(await readWhenThere(join(rig.workspace, 'pid')));
const letGo = (rig: Placed): Promise<void> => writeFile(join(rig.workspace, 'go'), '');
const runsIn = (rig: Placed): Promise<string> => readFile(join(rig.workspace, 'runs'), 'utf8');
const lost = new ActivityCancellationDetails({ notFound: true });
const second = () => activityEnvironment({ attempt: 2 });

describe('in the same process', () => {
  test('the second try waits for the program of the first and returns what came of it', async () => {
    const rig = await makeRig();
    const first = rig.execute(given);
    const pid = await pidIn(rig);
    const beats: { line?: string; pid?: number }[] = [];
    const environment = second();
    environment.on('heartbeat', (beat: { line?: string; pid?: number }) => beats.push(beat));
    const joined = rig.execute(given, environment);
    expect(await eventually(() => beats.some((beat) => beat.pid === pid && beat.line === 'begun'))).toBe(true);
    await letGo(rig);
    expect(await joined).toMatchObject({ kind: 'finished', reruns: 0, preview: 'begun\nend' });
    expect(await first).toEqual(await joined);
    expect(await runsIn(rig)).toBe('run\n');
  });

  test('a first try that Temporal gave up leaves at once, and its program goes on for the second', async () => {
    const rig = await makeRig();
    const environment = activityEnvironment();
    const first = rig.execute(given, environment);
    const pid = await pidIn(rig);
    environment.cancel('NOT_FOUND', lost);
    await expect(first).rejects.toBeInstanceOf(CancelledFailure);
    await sleep(200);
    expect(readIdentity(pid)).toBeDefined();
    const joined = rig.execute(given, second());
    await letGo(rig);
    expect(await joined).toMatchObject({ kind: 'finished', reruns: 0 });
    expect(await runsIn(rig)).toBe('run\n');
  });

  test('when no other try comes in time, the program is ended, and one that comes later runs it again and says so', async () => {
    const rig = await makeRig();
    // The last try: there is none to wait for.
    const environment = activityEnvironment({ retryPolicy: { maximumAttempts: 1 } });
    const first = rig.execute(given, environment);
    const pid = await pidIn(rig);
    environment.cancel('NOT_FOUND', lost);
    await expect(first).rejects.toBeInstanceOf(CancelledFailure);
    expect(await isGone(pid)).toBe(true);
    await letGo(rig);
    expect(await rig.execute(given, second())).toMatchObject({ kind: 'finished', reruns: 1 });
  });

  test('a cancellation of the second try ends the program', async () => {
    const rig = await makeRig();
    const environment = activityEnvironment();
    const first = rig.execute(given, environment);
    const pid = await pidIn(rig);
    environment.cancel('NOT_FOUND', lost);
    await expect(first).rejects.toBeInstanceOf(CancelledFailure);
    const cancelled = second();
    const joined = rig.execute(given, cancelled);
    await sleep(100);
    cancelled.cancel();
    expect(await joined).toMatchObject({ kind: 'failed', failure: { type: 'cancelled' } });
    expect(await isGone(pid)).toBe(true);
  });

  test('an attempt after a reset of the workflow does not join the one from before: it ends it', async () => {
    const rig = await makeRig();
    const environment = activityEnvironment();
    const first = rig.execute(given, environment);
    const gaveWay = expect(first).rejects.toBeInstanceOf(CancelledFailure);
    const pid = await pidIn(rig);
    environment.cancel('NOT_FOUND', lost);
    await gaveWay;
    await letGo(rig);
    const after = rig.execute({ ...given, startedAt: 'later' });
    expect(await after).toMatchObject({ kind: 'finished' });
    expect(await isGone(pid)).toBe(true);
  });
});

test(
  'in another process of the host: one that was stopped is waited for, one that dies leaves its attempts, and a cancellation takes over',
  { timeout: 120_000 },
  async () => {
    const rig = await makeRig();
    const start = async (subtaskId: string) => {
      const workspace = join(rig.workspace, subtaskId);
      await mkdir(workspace);
      return { ...given, subtaskId, workspace, idempotencyKey: `t1/${subtaskId}/1` };
    };
    const [waited, cancelled, left] = [await start('waited'), await start('cancelled'), await start('left')];
    const worker = await startWorker(rig, waited, cancelled, left);
    const running = async (attempt: typeof waited): Promise<number> => {
      const pid = await pidIn(attempt);
      onTestFinished(() => {
        if (readIdentity(pid) !== undefined) process.kill(-pid, 'SIGKILL');
      });
      while ((await rig.record(attempt)).program === undefined) await sleep(20);
      return pid;
    };
    const pids = [await running(waited), await running(cancelled), await running(left)] as const;

    // A worker that was stopped and goes on is waited for, and its program runs once.
    worker.kill('SIGSTOP');
    const joined = rig.execute(waited, second());
    await sleep(1_000);
    expect(readIdentity(pids[0])).toBeDefined();
    worker.kill('SIGCONT');
    await letGo(waited);
    expect(await joined).toMatchObject({ kind: 'finished', reruns: 0, preview: 'begun\nend' });
    expect(await runsIn(waited)).toBe('run\n');
    const { folder, record } = await rig.paths(waited);
    expect((await readdir(folder)).filter((name) => name.startsWith('waited-'))).toEqual([basename(record)]);

    // A cancellation takes the program over and ends it.
    const environment = second();
    const ended = rig.execute(cancelled, environment);
    await sleep(500);
    environment.cancel();
    expect(await ended).toMatchObject({ kind: 'failed', failure: { type: 'cancelled' } });
    expect(await isGone(pids[1])).toBe(true);

    // A worker that dies while it is waited for leaves the attempt to the next.
    const next = rig.execute(left, second());
    await sleep(600);
    expect(readIdentity(pids[2])).toBeDefined();
    worker.kill('SIGKILL');
    expect(await isGone(pids[2])).toBe(true);
    await letGo(left);
    expect(await next).toMatchObject({ kind: 'finished', reruns: 1 });
    expect(await runsIn(left)).toBe('run\nrun\n');
  },
);

test('the next try is expected after the delay of the policy, and none after the last', () => {
  const retryPolicy = { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 60_000, maximumAttempts: 10 };
  const within = (attempt: number): number => nextTryWithin({ attempt, retryPolicy }) - activityLimits.joinMargin;
  expect([1, 2, 5, 9].map(within)).toEqual([1_000, 2_000, 16_000, 60_000]);
  expect(nextTryWithin({ attempt: 10, retryPolicy })).toBe(0);
  expect(nextTryWithin({ attempt: 3 })).toBe(4_000 + activityLimits.joinMargin);
});
