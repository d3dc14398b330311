// What a later start of an attempt finds after its worker died, was stopped, or was taken for dead; with real kills.
import { ActivityCancellationDetails, CancelledFailure } from '@temporalio/common';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

import { endOrphan } from '../../../activities/programs/orphan.ts';
import { runningPaths } from '../../../activities/home-layout.ts';
import { forgetTask } from '../../../activities/attempt/running-record.ts';
import { readIdentity } from '../../../activities/programs/process-identity.ts';
import { sha256 } from '../../../activities/store/hash-file.ts';
import { activityEnvironment, isGone, makeRig, readWhenThere } from './support.ts';
import type { Given, Rig } from './support.ts';

const sh = (script: string): string[] => ['sh', '-c', script];
const module = (path: string): string => new URL(`../../../${path}`, import.meta.url).href;

/** A worker in a process of its own, to be killed; its program tells its pids in `pids` and waits. */
function startWorker(rig: Rig, given: Given): ChildProcess {
  const script = `
    import { MockActivityEnvironment } from '${import.meta.resolve('@temporalio/testing')}';
    import { createExecuteSubtask } from '${module('activities/execute/execute-subtask.ts')}';
    import { FileStore } from '${module('activities/store/file-store.ts')}';
    const [root, input] = process.argv.slice(1);
    const executeSubtask = createExecuteSubtask({ store: new FileStore(root + '/store'), root, env: process.env, logger: { warn() {} } });
    await new MockActivityEnvironment().run(executeSubtask, JSON.parse(input));`;
  const worker = spawn(
    process.execPath,
    ['--input-type=module', '-e', script, rig.root, JSON.stringify(rig.input(given))],
    { stdio: 'inherit' },
  );
  onTestFinished(() => {
    worker.kill('SIGKILL');
  });
  return worker;
}

async function kill(worker: ChildProcess): Promise<void> {
  worker.kill('SIGKILL');
  await once(worker, 'exit');
}

/** Starts a worker, waits until its program runs and is on record, kills the worker and returns the program's pids. */
async function crash(rig: Rig, given: Given): Promise<number[]> {
  const worker = startWorker(rig, given);
  const pids = (await readWhenThere(join(rig.workspace, 'pids'))).split(' ').map(Number);
  onTestFinished(() => endStill(pids[0]!));
  const { record } = runningPaths(rig.root, rig.input(given));
  while (!(await readFile(record, 'utf8')).includes('"program"'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  await kill(worker);
  for (const pid of pids) expect(readIdentity(pid)).toBeDefined();
  return pids;
}

/** Only the group of a program that this test started and that is still there. */
function endStill(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Gone, as it should be.
  }
}

/** Once with its worker killed, then to its end. The child ignores SIGTERM and the hangup of its pipes. */
const once1 = `[ -e again ] && { echo second time; exit 0; }; touch again; echo half > out.txt; echo begun;
  (trap '' TERM PIPE; while :; do sleep 1; done) & echo "$$ $!" > pids; wait`;

describe('after kill -9 of its worker', () => {
  test('the same attempt ends the orphan with all its children, runs again and says so', async () => {
    const rig = await makeRig();
    await writeFile(join(rig.workspace, 'out.txt'), 'before');
    const given = { run: sh(once1), deliverables: ['out.txt'] };
    const pids = await crash(rig, given);
    const execution = await rig.execute(given, activityEnvironment({ attempt: 2 }));
    expect(execution).toMatchObject({
      end: 'exited',
      exitCode: 0,
      reruns: 1,
      stdoutTail: 'second time\n',
      before: [{ path: 'out.txt', sha256: sha256('before') }],
    });
    for (const pid of pids) expect(await isGone(pid)).toBe(true);
    expect(await readdir(runningPaths(rig.root, rig.input({})).folder)).toEqual(['draft-1.json']);
  });

  test('the program of the second run has the same key and attempt number', async () => {
    const rig = await makeRig();
    const tell = 'echo "$HEDDLE_IDEMPOTENCY_KEY $HEDDLE_ATTEMPT" >> told; ';
    const given = { run: sh(tell + once1), attempt: 3 };
    await crash(rig, given);
    await rig.execute(given, activityEnvironment({ attempt: 2 }));
    expect(await readFile(join(rig.workspace, 'told'), 'utf8')).toBe('t1/draft/3 3\nt1/draft/3 3\n');
  });

  test('a plan that wants to be asked is: the orphan is ended, nothing runs, and what was printed is kept', async () => {
    const rig = await makeRig();
    const given = { run: sh(once1), onCrash: 'ask' as const };
    const pids = await crash(rig, given);
    const execution = await rig.execute(given, activityEnvironment({ attempt: 2 }));
    expect(execution).toMatchObject({ end: 'crashed', exitCode: null, signal: null, reruns: 1, stdoutTail: 'begun\n' });
    expect(execution.stderrTail).toContain('The worker died');
    expect((await rig.store.get(execution.output!)).toString()).toBe('begun\n');
    for (const pid of pids) expect(await isGone(pid)).toBe(true);
    // Asked and answered: the next call is meant.
    expect(await rig.execute(given, activityEnvironment({ scheduledTimestampMs: 2 }))).toMatchObject({
      end: 'exited',
      stdoutTail: 'second time\n',
    });
  });

  test('every further crash counts', async () => {
    const rig = await makeRig();
    const script = `[ -e enough ] && exit 0; echo "$$" > pids; sleep 60`;
    for (const round of [1, 2]) {
      await crash(rig, { run: sh(script) });
      await writeFile(join(rig.workspace, 'pids'), '');
      if (round === 2) await writeFile(join(rig.workspace, 'enough'), '');
    }
    expect(await rig.execute({ run: sh(script) }, activityEnvironment({ attempt: 3 }))).toMatchObject({
      reruns: 2,
    });
  });

  test('a record that was damaged is taken for a crash', async () => {
    const rig = await makeRig();
    await rig.execute({ run: ['true'] });
    const { record } = runningPaths(rig.root, rig.input({}));
    await writeFile(record, '{"state":"run');
    expect(await rig.execute({ onCrash: 'ask' })).toMatchObject({ end: 'crashed', reruns: 1 });
  });
});

describe('an orphan', () => {
  const startProgram = async (rig: Rig, key: string, script: string): Promise<number> => {
    const env = { PATH: process.env.PATH, HEDDLE_IDEMPOTENCY_KEY: key };
    const child = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore', cwd: rig.workspace, env });
    const pid = child.pid!;
    onTestFinished(() => endStill(pid));
    await once(child, 'spawn');
    return pid;
  };

  test('whose record came too late is found by its key', async () => {
    const rig = await makeRig();
    const pid = await startProgram(rig, 'key-late', 'sleep 60');
    const other = await startProgram(rig, 'key-late-2', 'sleep 60');
    expect(await endOrphan({ host: hostname(), idempotencyKey: 'key-late' })).toEqual({ ended: [pid], left: [] });
    expect(await isGone(pid)).toBe(true);
    expect(readIdentity(other)).toBeDefined();
  });

  test('whose leader has ended is found by what it left in its group', async () => {
    const rig = await makeRig();
    const pid = await startProgram(rig, 'key-leader', 'sleep 60 & echo $! > child; wait');
    const child = Number(await readWhenThere(join(rig.workspace, 'child')));
    const program = readIdentity(pid)!;
    process.kill(pid, 'SIGKILL');
    expect(await isGone(pid)).toBe(true);
    expect(readIdentity(child)).toBeDefined();
    await endOrphan({ host: hostname(), idempotencyKey: 'key-leader', program });
    expect(await isGone(child)).toBe(true);
  });

  test('is never another process that got its number, nor one of another host', async () => {
    const rig = await makeRig();
    const pid = await startProgram(rig, 'key-innocent', 'sleep 60');
    const identity = readIdentity(pid)!;
    await endOrphan({
      host: hostname(),
      idempotencyKey: 'key-x',
      program: { pid, startTime: `${identity.startTime}0` },
    });
    await endOrphan({ host: 'another-host', idempotencyKey: 'key-innocent', program: identity });
    expect(readIdentity(pid)).toEqual(identity);
  });
});

describe('when its worker is stopped in order', () => {
  const stop = async (rig: Rig, given: Given): Promise<number> => {
    const environment = activityEnvironment();
    const running = rig.execute(given, environment);
    const pid = Number((await readWhenThere(join(rig.workspace, 'pids'))).split(' ')[0]);
    environment.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true }));
    await expect(running).rejects.toBeInstanceOf(CancelledFailure);
    return pid;
  };

  test('the program is ended, and the next worker runs it again and says so', async () => {
    const rig = await makeRig();
    const pid = await stop(rig, { run: sh(once1) });
    expect(await isGone(pid)).toBe(true);
    const { record } = runningPaths(rig.root, rig.input({}));
    expect(JSON.parse(await readFile(record, 'utf8'))).toMatchObject({ state: 'handed-over' });
    expect(await rig.execute({ run: sh(once1) }, activityEnvironment({ attempt: 2 }))).toMatchObject({
      end: 'exited',
      exitCode: 0,
      reruns: 1,
    });
  });

  test('a plan that wants to be asked is asked: the program was cut off all the same', async () => {
    const rig = await makeRig();
    await stop(rig, { run: sh(once1), onCrash: 'ask' });
    const execution = await rig.execute({ run: sh(once1), onCrash: 'ask' }, activityEnvironment({ attempt: 2 }));
    expect(execution).toMatchObject({ end: 'crashed', reruns: 1 });
    expect(execution.stderrTail).toContain('stopped before its end');
  });
});

describe('when only the answer to Temporal was lost', () => {
  test('the retry returns what came of it, and the program does not run twice', async () => {
    const rig = await makeRig();
    const given = { run: sh('echo run >> runs; exit 4') };
    const first = await rig.execute(given);
    expect(await rig.execute(given, activityEnvironment({ attempt: 2 }))).toEqual(first);
    expect(await readFile(join(rig.workspace, 'runs'), 'utf8')).toBe('run\n');
  });

  test('a new call of the same attempt (after a wait for the environment, after a reset) does run', async () => {
    const rig = await makeRig();
    const given = { run: sh('echo run >> runs; cp runs out.txt'), deliverables: ['out.txt'] };
    await rig.execute(given);
    const again = await rig.execute(given, activityEnvironment({ attempt: 2, scheduledTimestampMs: 99 }));
    expect(again).toMatchObject({ reruns: 0, before: [{ path: 'out.txt', sha256: null }] });
    const workflowExecution = { workflowId: 'task-t1', runId: 'after-reset' };
    const reset = await rig.execute(given, activityEnvironment({ workflowExecution }));
    expect(reset.before).toEqual([{ path: 'out.txt', sha256: sha256('run\nrun\n') }]);
    expect(await readFile(join(rig.workspace, 'runs'), 'utf8')).toBe('run\nrun\nrun\n');
  });
});

test('a start that was taken for dead gives way to the one that took over', async () => {
  const rig = await makeRig();
  const first = rig.execute({ run: sh(once1) });
  const gaveWay = expect(first).rejects.toMatchObject({ type: 'taken-over' });
  const pid = Number((await readWhenThere(join(rig.workspace, 'pids'))).split(' ')[0]);
  const second = await rig.execute({ run: sh(once1) }, activityEnvironment({ attempt: 2 }));
  await gaveWay;
  expect(second).toMatchObject({ end: 'exited', exitCode: 0, stdoutTail: 'second time\n' });
  expect((await rig.store.get(second.stdout!)).toString()).toBe('second time\n');
  expect(await isGone(pid)).toBe(true);
});

test('what is known of a task can be forgotten', async () => {
  const rig = await makeRig();
  await rig.execute({});
  await forgetTask(rig.root, 't1');
  expect(await readdir(join(rig.root, 'running'))).toEqual([]);
});
