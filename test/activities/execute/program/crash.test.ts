// Findings of a later execution of an attempt after its worker died, was stopped, or was taken for dead; with real kills.
import { ActivityCancellationDetails, CancelledFailure } from '@temporalio/common';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

import { endOrphan } from '../../../../activities/programs/orphan.ts';
import { readIdentity } from '../../../../activities/programs/process-identity.ts';
import { sha256 } from '../../../../activities/system/hash-file.ts';
import { activityEnvironment, eventually, failureIn, isGone, makeRig, readWhenThere, startWorker } from './support.ts';
import type { Given, Rig } from './support.ts';

const sh = (script: string): string[] => ['sh', '-c', script];
interface Attempt extends Given {
  workspace: string;
}

/** An attempt of a subtask of its own, in a workspace of its own. */
async function attemptOf(rig: Rig, subtaskId: string, given: Given): Promise<Attempt> {
  const workspace = join(rig.workspace, subtaskId);
  await mkdir(workspace);
  return { subtaskId, workspace, idempotencyKey: `t1/${subtaskId}/${given.attempt ?? 1}`, ...given };
}

/** Starts a worker, waits until its programs run, are on record and are heard, kills the worker and returns the programs' pids. */
async function crash(rig: Rig, ...attempts: [given: Attempt, prints: string][]): Promise<number[][]> {
  const worker = await startWorker(rig, ...attempts.map(([given]) => given));
  const programs = await Promise.all(
    attempts.map(async ([given, prints]) => {
      const pids = (await readWhenThere(join(given.workspace, 'pids'))).split(' ').map(Number);
      onTestFinished(() => endStill(pids[0]!));
      const { record, log } = await rig.paths(given);
      const has = (path: string, text: string): boolean =>
        existsSync(path) && readFileSync(path, 'utf8').includes(text);
      expect(await eventually(() => has(record, `"program":{"pid":${pids[0]!},`) && has(log, prints))).toBe(true);
      return pids;
    }),
  );
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  for (const pid of programs.flat()) expect(readIdentity(pid)).toBeDefined();
  return programs;
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
  const paid = `echo '{"status":"success","costUsd":0.5,"tokens":7}'`;

  test('an attempt runs again, is asked about, or counts its crashes', { timeout: 120_000 }, async () => {
    const rig = await makeRig(process.env);
    const writeNote = 'echo "$HEDDLE_IDEMPOTENCY_KEY $HEDDLE_ATTEMPT" >> told; ';
    const again = await attemptOf(rig, 'again', { run: sh(writeNote + once1), deliverables: ['out.txt'], attempt: 3 });
    const asking = await attemptOf(rig, 'asking', { run: sh(once1), onCrash: 'ask' });
    const counting = await attemptOf(rig, 'counting', {
      run: sh(`${paid}; [ -e enough ] && exit 0; echo "$$" > pids; sleep 60`),
    });
    await writeFile(join(again.workspace, 'out.txt'), 'before');
    const [pids = [], askedPids = []] = await crash(rig, [again, 'begun'], [asking, 'begun'], [counting, '"tokens":7']);
    await runsAgain(rig, again, pids);
    await isAskedAbout(rig, asking, askedPids);
    await countsCrashes(rig, counting);
  });

  /** It ends the orphan with all its children, runs again with the same key and number, and says so. */
  async function runsAgain(rig: Rig, given: Attempt, pids: number[]): Promise<void> {
    const outcome = await rig.execute(given, activityEnvironment({ attempt: 2 }));
    expect(outcome).toMatchObject({ kind: 'finished', reruns: 1, preview: 'second time' });
    const { folder, record } = await rig.paths(given);
    expect((await rig.record(given)).before).toEqual([{ path: 'out.txt', sha256: sha256('before') }]);
    for (const pid of pids) expect(await isGone(pid)).toBe(true);
    expect((await readdir(folder)).filter((name) => name.startsWith('again-'))).toEqual([basename(record)]);
    expect(await readFile(join(given.workspace, 'told'), 'utf8')).toBe('t1/again/3 3\nt1/again/3 3\n');
  }

  /** The orphan is ended, by nobody else, nothing runs, and what was printed is kept. */
  async function isAskedAbout(rig: Rig, given: Attempt, pids: number[]): Promise<void> {
    // A task of another server with the same id.
    await rig.execute({ ...given, run: ['true'], chain: 'chain-2' }, activityEnvironment({ attempt: 2 }));
    for (const pid of pids) expect(readIdentity(pid)).toBeDefined();
    const outcome = await rig.execute(given, activityEnvironment({ attempt: 2 }));
    expect(outcome).toMatchObject({ kind: 'failed', failure: { type: 'blocked', category: 'blocked' }, reruns: 1 });
    expect(failureIn(outcome).details).toMatch(/^begun\nThe worker died/);
    expect((await rig.store.get(outcome.output!)).toString()).toBe('begun\n');
    for (const pid of pids) expect(await isGone(pid)).toBe(true);
    // Asked and answered: the next call is meant.
    expect(await rig.execute(given, activityEnvironment({ scheduledTimestampMs: 2 }))).toMatchObject({
      kind: 'finished',
      preview: 'second time',
    });
  }

  /** Each once, however often the attempt waits and goes on, and so does what its run says it used. */
  async function countsCrashes(rig: Rig, given: Attempt): Promise<void> {
    await writeFile(join(given.workspace, 'pids'), '');
    await crash(rig, [given, '"tokens":7']);
    await writeFile(join(given.workspace, 'enough'), '');
    expect(await rig.execute(given, activityEnvironment({ attempt: 3, scheduledTimestampMs: 1 }))).toMatchObject({
      reruns: 2,
      used: { costUsd: 1.5, tokens: 21 },
    });
    for (const scheduledTimestampMs of [2, 3])
      expect(await rig.execute(given, activityEnvironment({ scheduledTimestampMs }))).toMatchObject({ reruns: 2 });
  }

  test('a record that was damaged is taken for a crash, and nobody knows what was there before', async () => {
    const rig = await makeRig(process.env);
    await rig.execute({ run: ['true'] });
    await writeFile((await rig.paths()).record, '{"state":"run');
    expect(await rig.execute({ onCrash: 'ask', deliverables: ['x'] })).toMatchObject({
      failure: { type: 'blocked' },
      reruns: 1,
    });
    expect((await rig.record()).before).toBeNull();
  });
});

describe('an orphan', () => {
  const mark = (key: string): string => `HEDDLE_TEST_MARK=${key}.`;
  const startProgram = async (rig: Rig, key: string, script: string): Promise<number> => {
    const env = { PATH: process.env.PATH, HEDDLE_TEST_MARK: `${key}.` };
    const child = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore', cwd: rig.workspace, env });
    const pid = child.pid!;
    onTestFinished(() => endStill(pid));
    await once(child, 'spawn');
    return pid;
  };

  test('whose record came too late is found by its mark', async () => {
    const rig = await makeRig();
    const pid = await startProgram(rig, 'key-late', 'sleep 60');
    const other = await startProgram(rig, 'key-late-2', 'sleep 60');
    expect(await endOrphan({ host: hostname(), mark: mark('key-late') })).toEqual({ ended: [pid], left: [] });
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
    await endOrphan({ host: hostname(), mark: mark('key-leader'), program });
    expect(await isGone(child)).toBe(true);
  });

  test('is never another process that got its number, nor one of another host', async () => {
    const rig = await makeRig();
    const pid = await startProgram(rig, 'key-innocent', 'sleep 60');
    const identity = readIdentity(pid)!;
    await endOrphan({
      host: hostname(),
      mark: mark('key-x'),
      program: { pid, startTime: `${identity.startTime}0` },
    });
    await endOrphan({ host: 'another-host', mark: mark('key-innocent'), program: identity });
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
    expect(await rig.record()).toMatchObject({ state: 'handed-over' });
    expect(await rig.execute({ run: sh(once1) }, activityEnvironment({ attempt: 2 }))).toMatchObject({
      kind: 'finished',
      reruns: 1,
    });
  });

  test('a plan that wants to be asked is asked: the program was cut off all the same', async () => {
    const rig = await makeRig();
    await stop(rig, { run: sh(once1), onCrash: 'ask' });
    const outcome = await rig.execute({ run: sh(once1), onCrash: 'ask' }, activityEnvironment({ attempt: 2 }));
    expect(outcome).toMatchObject({ failure: { type: 'blocked' }, reruns: 1 });
    expect(failureIn(outcome).details).toContain('stopped before it finished');
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

  test('a new call of the same attempt, after a wait or continue-as-new, does run, and knows what was there at first', async () => {
    const rig = await makeRig();
    const given = { run: sh('echo run >> runs; cp runs out.txt'), deliverables: ['out.txt'] };
    await rig.execute(given);
    const workflowExecution = { workflowId: 'task-t1', runId: 'next-run' };
    for (const info of [{ scheduledTimestampMs: 99 }, { workflowExecution }]) {
      expect(await rig.execute(given, activityEnvironment({ attempt: 2, ...info }))).toMatchObject({ reruns: 0 });
      expect((await rig.record()).before).toEqual([{ path: 'out.txt', sha256: null }]);
    }
    expect(await readFile(join(rig.workspace, 'runs'), 'utf8')).toBe('run\nrun\nrun\n');
  });

  test('after a reset of the workflow it is another attempt: it runs, and begins with the files as they are', async () => {
    const rig = await makeRig();
    const given = { run: sh('echo run >> runs; cp runs out.txt'), deliverables: ['out.txt'] };
    await rig.execute(given);
    await rig.execute({ ...given, startedAt: 'later' }, activityEnvironment({ attempt: 2 }));
    expect((await rig.record()).before).toEqual([{ path: 'out.txt', sha256: sha256('run\n') }]);
    expect(await readFile(join(rig.workspace, 'runs'), 'utf8')).toBe('run\nrun\n');
  });
});

describe('a task of another server, or of another namespace, with the same id', () => {
  test.each([
    ['chain', { chain: 'chain-2' }, {}],
    ['namespace', {}, { namespace: 'other' }],
  ])('told apart by its %s leaves the program of this one alone', async (_, other, info) => {
    const rig = await makeRig();
    const given = { run: sh('echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done; echo mine') };
    const mine = rig.execute(given);
    const pid = Number(await readWhenThere(join(rig.workspace, 'pid')));
    const stranger = { ...given, ...other, run: ['echo', 'theirs'] };
    expect(await rig.execute(stranger, activityEnvironment({ attempt: 2, ...info }))).toMatchObject({
      preview: 'theirs',
      reruns: 0,
    });
    expect(readIdentity(pid)).toBeDefined();
    await writeFile(join(rig.workspace, 'go'), '');
    expect(await mine).toMatchObject({ kind: 'finished', preview: 'mine', reruns: 0 });
  });
});
