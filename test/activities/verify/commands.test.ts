import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { makeControlGroup, pidsOfAttempt, removeWhenEmpty } from '../../../activities/programs/control-group.ts';
import { keyVariable } from '../../../activities/programs/orphan.ts';
import { readStatSync } from '../../../activities/programs/read-process.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import type { Rule } from '../../../domain/types/subtask.ts';
import { until } from '../../support/cli.ts';
import { codesOf, VerifyRig } from './rig.ts';

// Verify commands: exit 0 within the limit, all of them, with their output kept; and nothing of them left running.

let rig: VerifyRig;
beforeEach(async () => {
  rig = await VerifyRig.make();
});
afterEach(() => rig.remove());

/** Commands that leave a trace in their arguments can be found again. */
function running(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark) && pid !== process.pid;
      } catch {
        return false;
      }
    });
}

/** Those that left their group and show no environment. */
const wiped = (mark: string): number[] =>
  running(mark).filter((pid) => readStatSync(pid)?.group === pid && readFileSync(`/proc/${pid}/environ`).length === 0);

/** True if the system has control groups for us. */
const group = makeControlGroup('attempt', { isUsable: () => true });
if (group !== undefined) await removeWhenEmpty(group);
const hasGroups = group !== undefined;

test('a named check fails by its name and the last line it printed, not by its script', async () => {
  const script = 'set -e\necho "3 files read"\necho "line 7 has no date"\nexit 1';
  const verify = [script, 'exit 3', 'echo fine', 'sleep 5'];
  const checkNames = [
    { name: 'every line has a date', run: script },
    { name: 'nothing to say', run: 'exit 3' },
    { name: 'says fine', run: 'echo fine' },
    { name: 'comes to an end', run: 'sleep 5' },
  ];
  const { issues, commands, failure } = await rig.verify({ verify, checkNames }, { commandTimeout: 500 });
  expect(issues.map(({ message }) => message)).toEqual([
    'The check `every line has a date` must pass, but it exited with code 1: line 7 has no date',
    'The check `nothing to say` must pass, but it exited with code 3 and printed nothing.',
    'The check `comes to an end` did not finish within 0.5 s, so make it finish.',
  ]);
  expect(failure?.summary).not.toContain('set -e');
  expect(commands.map(({ name, exit }) => [name, exit])).toEqual([
    ['every line has a date', 1],
    ['nothing to say', 3],
    ['says fine', 0],
    ['comes to an end', null],
  ]);
});

test('exit 0 passes, and the output is kept', async () => {
  await rig.write({ 'NOTES.md': '## Changes\n' });
  const verdict = await rig.verify({ verify: ["grep '^## ' NOTES.md", 'echo said; echo complained >&2', 'true'] });
  expect(verdict.outcome).toBe('pass');
  expect(verdict.commands.map(({ exit, summary }) => [exit, summary])).toEqual([
    [0, '## Changes'],
    [0, 'said complained'],
    [0, ''],
  ]);
  const output = verdict.commands[1]?.output;
  expect(output && (await rig.store.get(output)).toString()).toBe('said\ncomplained\n');
});

test('every command runs, and every failure is told with its last lines', async () => {
  const verdict = await rig.verify({
    verify: ['echo broken: x; exit 3', 'nothing-of-that-name', 'kill -9 $$', 'exit 7', 'true'],
  });
  expect(verdict.outcome).toBe('fail');
  expect(verdict.commands.map(({ exit }) => exit)).toEqual([3, 127, null, 7, 0]);
  expect(verdict.issues.map(({ message }) => message)).toEqual([
    'The verify command must exit with 0, but it exited with code 3: echo broken: x; exit 3',
    'The verify command must exit with 0, but it exited with code 127: nothing-of-that-name',
    'The verify command must exit with 0, but it was ended by SIGKILL: kill -9 $$',
    'The verify command must exit with 0, but it exited with code 7: exit 7',
  ]);
  expect(verdict.issues[0]?.details).toBe('broken: x');
  expect(verdict.issues[1]?.details).toContain('not found');
  expect(verdict.commands[3]?.summary).toBe('it exited with code 7, and it printed nothing');
});

test('the working folder is the workspace, the environment is clean, stdin is empty', async () => {
  const env = { ...process.env, SECRET_TOKEN: 'x', GIT_DIR: '/nowhere' };
  const command =
    'cat; pwd; env | grep -v "^\\(PWD\\|OLDPWD\\|SHLVL\\|_\\)=" | cut -d= -f1 | sort | tr "\\n" " "; echo; echo $HEDDLE_TASK_ID/$HEDDLE_SUBTASK_ID/$HEDDLE_ATTEMPT';
  const { commands } = await rig.verify({ verify: [command] }, { secrets: new EnvironmentSecrets(env) });
  const output = commands[0]?.output;
  expect(output && (await rig.store.get(output)).toString().trim().split('\n')).toEqual([
    rig.workspace,
    'HEDDLE_ATTEMPT HEDDLE_IDEMPOTENCY_KEY HEDDLE_SUBTASK_ID HEDDLE_TASK_ID HEDDLE_VERIFY_RUN HOME LANG PATH TMPDIR ',
    'demo/draft/2',
  ]);
});

test('a command above the limit is ended with a child that ignores SIGTERM, and the next one runs', async () => {
  const mark = `verify-mark-${process.pid}`;
  const child = `sh -c "trap '' TERM; : ${mark}; while :; do sleep 0.1; done"`;
  const verdict = await rig.verify(
    { verify: [`${child} & echo started; wait`, 'echo next'] },
    { commandTimeout: 500, killGrace: 300 },
  );
  expect(codesOf(verdict)).toEqual(['hard verify-command-timeout']);
  expect(verdict.issues[0]?.message).toContain('did not finish within 0.5 s');
  expect(verdict.commands.map(({ exit, summary }) => [exit, summary])).toEqual([
    [null, 'started'],
    [0, 'next'],
  ]);
  expect(running(mark)).toEqual([]);
});

test('a child left behind by a command that passed is ended too', async () => {
  const mark = `verify-left-${process.pid}`;
  const verdict = await rig.verify({ verify: [`sh -c ": ${mark}; sleep 60" & exit 0`] }, { killGrace: 300 });
  expect(verdict.outcome).toBe('pass');
  expect(running(mark)).toEqual([]);
});

test('megabytes of coloured output leave a short, plain summary', async () => {
  const command = `i=0; while [ $i -lt 20000 ]; do echo "\u001b[31mline $i ${'ü'.repeat(60)}\u001b[0m"; i=$((i+1)); done; exit 1`;
  const verdict = await rig.verify({ verify: [command] });
  const [result] = verdict.commands;
  expect(result?.summary.length).toBeLessThanOrEqual(limits.summary);
  expect(result?.summary).toMatch(/^…[^\u001b]*line 19999 ü+$/);
  expect(result?.output?.bytes).toBeGreaterThan(2_000_000);
  expect(verdict.issues[0]?.details?.length).toBeLessThanOrEqual(activityLimits.issueDetails);
});

test('trouble of the machine is visible where a classifier looks', async () => {
  const tooLong = await rig.verify({ verify: [`true ${'x'.repeat(200_000)}`] });
  expect(tooLong.commands[0]).toMatchObject({ exit: null });
  expect(tooLong.commands[0]?.summary).toMatch(/sh could not be started: E2BIG/);
  expect(codesOf(tooLong)).toEqual(['hard verify-command-failed']);

  const full = Object.assign(new Error('ENOSPC: no space left on device, rename'), {
    code: 'ENOSPC',
    syscall: 'rename',
  });
  const store = {
    get: rig.store.get.bind(rig.store),
    put: () => Promise.reject(full),
    putFile: () => Promise.reject(full),
  };
  const verdict = await rig.verify({ verify: ['echo fine'] }, { store });
  expect(verdict.commands[0]).toMatchObject({ exit: null });
  expect(verdict.commands[0]?.summary).toContain('ENOSPC');
  expect(verdict.issues[0]?.details).toContain('ENOSPC');
  expect(verdict.failure).toMatchObject({ category: 'environment', rootCause: 'The disk is full.' });

  // Nothing is wrong with the work, and its result cannot be kept: no verdict, and the verification alone is repeated.
  await expect(rig.verify({}, { store })).rejects.toMatchObject({
    type: 'transient',
    details: [{ failure: { category: 'environment' }, used: { costUsd: 0, tokens: 0 } }],
  });
});

test('heartbeats say which check runs', async () => {
  const environment = new MockActivityEnvironment();
  const beats: string[] = [];
  environment.on('heartbeat', (beat: { line?: string }) => beats.push(beat.line ?? ''));
  await rig.verify({ verify: ['sleep 2.5; echo "a\nb"'] }, {}, environment);
  expect(beats.length).toBeGreaterThanOrEqual(3);
  expect(beats).toContain('checking verify command: sleep 2.5; echo "a b"');
});

test('a cancellation ends the running command and is reported as one', async () => {
  const mark = `verify-cancel-${process.pid}`;
  const environment = new MockActivityEnvironment();
  setTimeout(() => environment.cancel('CANCELLED'), 600);
  const started = performance.now();
  const verdict = rig.verify(
    { verify: [`: ${mark}; sleep 60; true`, 'touch second'] },
    { killGrace: 300 },
    environment,
  );
  await expect(verdict).rejects.toBeInstanceOf(CancelledFailure);
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(running(mark)).toEqual([]);
  expect(await readdir(rig.workspace)).toEqual([]);
  expect(await readdir(join(rig.home, 'running', 'demo'))).toEqual([]);
});

test('a cancellation does not wait for a pattern that explodes', async () => {
  const environment = new MockActivityEnvironment();
  setTimeout(() => environment.cancel('CANCELLED'), 500);
  const rules: Rule[] = [{ pattern: '^(a+)+$', in: [], must: 'absent', severity: 'hard' }];
  const started = performance.now();
  const verdict = rig.verify({ stdout: `${'a'.repeat(50)}b`, rules }, { inspectTimeout: 60_000 }, environment);
  await expect(verdict).rejects.toBeInstanceOf(CancelledFailure);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('a second execution ends what a crash of the first left running', async () => {
  // A try of its own each time: what an earlier one left behind is not what this one looks for.
  const id = `${process.pid}-${Date.now()}`;
  const mark = `verify-orphan-${id}`;
  const info = {
    workflowExecution: { workflowId: 'task-demo', runId: `run-${id}` },
    activityId: 'draft-2-verify',
  };
  // The first one stands for a worker that is gone: nobody waits for it until the second has ended its command.
  const first = new MockActivityEnvironment({ ...info, attempt: 1 });
  const lost = rig.verify({ verify: [`: ${mark}; sleep 60; true`] }, {}, first);
  while (running(mark).length === 0) await sleep(20);
  const second = new MockActivityEnvironment({ ...info, attempt: 2 });
  const verdict = await rig.verify({ verify: ['echo ran'] }, {}, second);
  expect(verdict.commands[0]?.summary).toBe('ran');
  expect(running(mark)).toEqual([]);
  expect((await lost).outcome).toBe('fail');
});

test.runIf(hasGroups)('a second execution finds a process of the first that wiped its environment too', async () => {
  const mark = `verify-wiped-${process.pid}-${Date.now()}`;
  const environment = new MockActivityEnvironment();
  const command = `env -i setsid sh -c ': ${mark}; sleep 60; true' & : $HEDDLE_IDEMPOTENCY_KEY; sleep 60`;
  const lost = rig.verify({ verify: [command] }, {}, environment);
  await until('the process is on its own', () => wiped(mark).length > 0);
  const { namespace, activityId } = environment.context.info;
  expect(pidsOfAttempt(`${keyVariable}=verify/${namespace}/${basename(rig.base)}/${activityId}/`)).toEqual(
    expect.arrayContaining(wiped(mark)),
  );
  environment.cancel('CANCELLED');
  await expect(lost).rejects.toBeInstanceOf(CancelledFailure);
  expect(running(mark)).toEqual([]);
});

test('commands see what the attempt wrote, and may write themselves', async () => {
  const verdict = await rig.verify({ verify: ['echo x > made', 'cat made'] });
  expect(verdict.outcome).toBe('pass');
  expect(await readFile(rig.path('made'), 'utf8')).toBe('x\n');
});
