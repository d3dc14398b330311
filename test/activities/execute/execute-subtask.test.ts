// The activity executeSubtask as Temporal calls it: prompt, environment, results, output, cancellation.
import { ActivityCancellationDetails, ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { runningPaths } from '../../../activities/home-layout.ts';
import { sha256 } from '../../../activities/store/hash-file.ts';
import { limits } from '../../../domain/limits.ts';
import { activityLimits } from '../../../activities/limits.ts';
import { activityEnvironment, eventually, isGone, makeRig, readWhenThere, writeProgram } from './support.ts';

const sh = (script: string): string[] => ['sh', '-c', script];

describe('what a program receives', () => {
  const prompt = '<guidance>grüße & "quotes" $HOME `x`</guidance>\nline 2\n';

  test('the prompt on stdin', async () => {
    const rig = await makeRig();
    const { stdout } = await rig.execute({ run: ['cat'], prompt });
    expect((await rig.store.get(stdout!)).toString()).toBe(prompt);
  });

  test('the prompt as the last argument, and nothing on stdin', async () => {
    const rig = await makeRig();
    const run = sh('printf %s "$2"; echo "[$1]"; cat').concat('name', 'given');
    const { stdout } = await rig.execute({ run, delivery: 'argument', prompt: `${prompt}a\0b` });
    expect((await rig.store.get(stdout!)).toString()).toBe(`${prompt}a\uFFFDb[given]\n`);
  });

  test('the prompt in a file that is gone afterwards', async () => {
    const rig = await makeRig();
    const { stdout } = await rig.execute({
      run: sh('echo "$HEDDLE_PROMPT_FILE"; cat "$HEDDLE_PROMPT_FILE"'),
      delivery: 'file',
      prompt,
    });
    const [path = '', ...rest] = (await rig.store.get(stdout!)).toString().split('\n');
    expect(rest.join('\n')).toBe(prompt);
    expect(existsSync(path)).toBe(false);
  });

  test("a clean environment with Heddle's variables and the named ones", async () => {
    const rig = await makeRig({
      PATH: process.env.PATH,
      HOME: '/h',
      GH_TOKEN: 'ghp_tok',
      AWS_SECRET: 'leak',
      HEDDLE_TIER: '9',
    });
    const { stdout } = await rig.execute({
      run: [process.execPath, '-e', 'console.log(JSON.stringify(process.env))'],
      env: ['GH_TOKEN'],
      subtaskId: 'entwürfe',
      attempt: 4,
      tier: 2,
      thinking: true,
      idempotencyKey: 'key-1',
    });
    expect(JSON.parse((await rig.store.get(stdout!)).toString())).toEqual({
      PATH: process.env.PATH,
      HOME: '/h',
      LANG: expect.any(String) as string,
      TMPDIR: expect.any(String) as string,
      GH_TOKEN: 'ghp_tok',
      HEDDLE_TASK_ID: 't1',
      HEDDLE_SUBTASK_ID: 'entwürfe',
      HEDDLE_ATTEMPT: '4',
      HEDDLE_TIER: '2',
      HEDDLE_THINKING: '1',
      HEDDLE_IDEMPOTENCY_KEY: 'key-1',
      HEDDLE_INPUTS_FILE: expect.stringMatching(/^\/.*inputs\.json$/) as string,
    });
  });

  test('the full results of its dependencies in a file, their output by path', async () => {
    const rig = await makeRig();
    const output = await rig.store.put('all that was printed');
    const inputs = [
      { id: 'a', status: 'success' as const, notes: 'n', deliverables: ['x.md'], preview: 'printed', output },
      { id: 'b', status: 'skipped' as const, notes: '', deliverables: [], preview: '' },
    ];
    const { stdout } = await rig.execute({ run: sh('cat "$HEDDLE_INPUTS_FILE"'), inputs });
    const seen = JSON.parse((await rig.store.get(stdout!)).toString()) as { output: string }[];
    expect(seen).toEqual([
      { id: 'a', status: 'success', notes: 'n', deliverables: ['x.md'], output: rig.store.path(output) },
      { id: 'b', status: 'skipped', notes: '', deliverables: [] },
    ]);
    expect(await readFile(seen[0]!.output, 'utf8')).toBe('all that was printed');
  });

  test('the workspace as its working folder', async () => {
    const rig = await makeRig();
    await writeProgram(join(rig.workspace, 'agent.sh'), '#!/bin/sh\npwd\n');
    expect((await rig.execute({ run: ['./agent.sh'] })).stdoutTail.trim()).toBe(rig.workspace);
  });
});

describe('what is reported', () => {
  test('exit code, contract, both streams by reference, and what the deliverables were before', async () => {
    const rig = await makeRig();
    await writeFile(join(rig.workspace, 'NOTES.md'), 'old');
    const script = `echo new > NOTES.md; echo complaint >&2; sleep 0.1; echo '{"status":"success","notes":"did it","costUsd":0.1}'`;
    const execution = await rig.execute({ run: sh(script), deliverables: ['NOTES.md', 'absent.md'] });
    expect(execution).toMatchObject({
      end: 'exited',
      exitCode: 0,
      signal: null,
      contract: { status: 'success', notes: 'did it', costUsd: 0.1 },
      stderrTail: 'complaint\n',
      truncated: false,
      reruns: 0,
      before: [
        { path: 'NOTES.md', sha256: sha256('old') },
        { path: 'absent.md', sha256: null },
      ],
    });
    expect((await rig.store.get(execution.output!)).toString()).toBe(
      'complaint\n{"status":"success","notes":"did it","costUsd":0.1}\n',
    );
    expect((await rig.store.get(execution.stdout!)).toString()).not.toContain('complaint');
  });

  test('a non-zero exit, a signal, the time limit and a contract that says failed are results', async () => {
    const rig = await makeRig();
    expect(await rig.execute({ run: sh('exit 77') })).toMatchObject({ end: 'exited', exitCode: 77 });
    expect(await rig.execute({ run: sh('kill -KILL $$') })).toMatchObject({
      end: 'exited',
      exitCode: null,
      signal: 'SIGKILL',
    });
    expect(await rig.execute({ run: sh('echo on it; sleep 60'), timeout: 300 })).toMatchObject({
      end: 'timeout',
      stdoutTail: 'on it\n',
    });
    expect(await rig.execute({ run: ['echo', '{"status":"blocked"}'] })).toMatchObject({
      exitCode: 0,
      contract: { status: 'blocked' },
    });
  });

  test('much output is whole in the store and short in the history', async () => {
    const rig = await makeRig();
    const execution = await rig.execute({
      run: sh(`yes 'some line of output' | head -c 52428800; echo; echo '{"status":"success"}'`),
    });
    expect(execution).toMatchObject({ contract: { status: 'success' }, stdoutBytes: 52_428_822, truncated: false });
    expect(execution.stdout?.bytes).toBe(52_428_822);
    expect(Buffer.byteLength(execution.stdoutTail)).toBeLessThanOrEqual(activityLimits.outputTail);
    expect((await rig.store.tail(execution.output!, 21)).toString()).toBe('{"status":"success"}\n');
  });

  test('a very long last line is output and no contract, even if a piece of it would be one', async () => {
    const rig = await makeRig();
    const script = `process.stdout.write('{"status":"success"}'.repeat(20000))`;
    const execution = await rig.execute({ run: [process.execPath, '-e', script] });
    expect(execution.contract).toBeUndefined();
    expect(execution.stdoutBytes).toBe(400_000);
    const exact = `process.stdout.write('x'.repeat(1000) + '{"status":"success","notes":"' + 'n'.repeat(131072 - 31) + '"}')`;
    expect((await rig.execute({ run: [process.execPath, '-e', exact], attempt: 2 })).contract).toBeUndefined();
  });

  test('a contract of nearly the longest line is found', async () => {
    const rig = await makeRig();
    const script = `console.log('x'.repeat(300000)); console.log(JSON.stringify({ status: 'partial', pad: 'p'.repeat(65000) }) + '\\n\\n')`;
    expect((await rig.execute({ run: [process.execPath, '-e', script] })).contract).toEqual({ status: 'partial' });
  });

  test('invalid UTF-8 and zero bytes do no harm', async () => {
    const rig = await makeRig();
    const execution = await rig.execute({ run: sh(`printf '\\377\\376\\000\\200abc\\n{"status":"success"}\\n'`) });
    expect(execution.contract).toEqual({ status: 'success' });
    expect(execution.stdoutTail.isWellFormed()).toBe(true);
    expect((await rig.store.get(execution.stdout!)).subarray(0, 4)).toEqual(Buffer.from([0xff, 0xfe, 0, 0x80]));
  });

  test('a secret that the program prints does not get into the history', async () => {
    const rig = await makeRig({ PATH: process.env.PATH, API_KEY: 'sk-1234567890' });
    const beats: unknown[] = [];
    const environment = activityEnvironment();
    environment.on('heartbeat', (beat) => beats.push(beat));
    const script = `echo "key $API_KEY" >&2; sleep 1.3; echo "{\\"status\\":\\"failed\\",\\"notes\\":\\"bad $API_KEY\\"}"`;
    const execution = await rig.execute({ run: sh(script), env: ['API_KEY'] }, environment);
    expect(execution).toMatchObject({ stderrTail: 'key [API_KEY]\n', contract: { notes: 'bad [API_KEY]' } });
    expect(JSON.stringify([execution, beats])).not.toContain('sk-1234567890');
    expect(JSON.stringify(beats)).toContain('key [API_KEY]');
  });

  test('nothing is left but the record of the end', async () => {
    const rig = await makeRig();
    await rig.execute({ run: ['echo', 'x'], delivery: 'file' });
    const { folder, record } = runningPaths(rig.root, rig.input({}));
    expect(await readdir(folder)).toEqual(['draft-1.json']);
    expect(JSON.parse(await readFile(record, 'utf8'))).toMatchObject({ state: 'ended' });
    expect(await readdir(join(rig.root, 'store', 'tmp')).catch(() => [])).toEqual([]);
  });
});

describe('what cannot start', () => {
  test('a program that is not there', async () => {
    const rig = await makeRig({ PATH: '/usr/bin:/bin' });
    expect(await rig.execute({ run: ['heddle-no-such-program'] })).toMatchObject({
      end: 'not-started',
      exitCode: 127,
      stderrTail: 'The program "heddle-no-such-program" was not found on the PATH (/usr/bin:/bin).',
    });
  });

  test('a program that may not run', async () => {
    const rig = await makeRig();
    await writeFile(join(rig.workspace, 'agent.sh'), '#!/bin/sh\n', { mode: 0o644 });
    expect(await rig.execute({ run: ['./agent.sh'] })).toMatchObject({ end: 'not-started', exitCode: 126 });
  });

  test('a program whose variables are not set', async () => {
    const rig = await makeRig({ PATH: process.env.PATH });
    expect(await rig.execute({ run: sh('touch ran'), env: ['GH_TOKEN'] })).toMatchObject({
      end: 'not-started',
      exitCode: 78,
      stderrTail: "The variable GH_TOKEN is not set in the worker's environment.",
    });
    expect((await rig.execute({ env: ['A', 'B'], attempt: 2 })).stderrTail).toBe(
      "The variables A and B are not set in the worker's environment.",
    );
    expect(existsSync(join(rig.workspace, 'ran'))).toBe(false);
  });

  test('a program without its workspace', async () => {
    const rig = await makeRig();
    await rm(rig.workspace, { recursive: true });
    expect(await rig.execute({})).toMatchObject({
      end: 'not-started',
      exitCode: null,
      stderrTail: `The workspace ${rig.workspace} is not there, or is not a folder.`,
    });
  });

  test("a program whose dependency's output is lost", async () => {
    const rig = await makeRig();
    const output = { sha256: 'ab'.repeat(32), bytes: 3 };
    const inputs = [{ id: 'a', status: 'success' as const, notes: '', deliverables: [], preview: '', output }];
    const execution = await rig.execute({ inputs });
    expect(execution.end).toBe('not-started');
    expect(execution.stderrTail).toContain('STORE_MISSING');
  });

  test('a prompt that is too long for an argument says what to do', async () => {
    const rig = await makeRig();
    const execution = await rig.execute({ run: ['echo'], delivery: 'argument', prompt: 'x'.repeat(3_000_000) });
    expect(execution).toMatchObject({
      end: 'not-started',
      stderrTail: expect.stringContaining('stdin or file') as string,
    });
  });

  test('a home that cannot be written is told as the system error it is', async () => {
    const rig = await makeRig();
    await mkdir(rig.root, { recursive: true });
    await writeFile(join(rig.root, 'running'), 'a file where the folder should be');
    const execution = await rig.execute({ run: sh('touch ran') });
    expect(execution).toMatchObject({ end: 'not-started', stderrTail: expect.stringContaining('ENOTDIR') as string });
    expect(existsSync(join(rig.workspace, 'ran'))).toBe(false);
  });

  test('output that cannot be stored is never a success', async () => {
    const rig = await makeRig();
    await mkdir(join(rig.root, 'store'), { recursive: true });
    await writeFile(join(rig.root, 'store', 'objects'), 'a file where the folder should be');
    const execution = await rig.execute({ run: ['echo', 'x'] });
    expect(execution).toMatchObject({
      end: 'exited',
      exitCode: 74,
      stderrTail: expect.stringContaining('ENOTDIR') as string,
    });
    expect(execution.output).toBeUndefined();
  });
});

describe('trouble that passes', () => {
  const failureOf = async (
    given: Parameters<Awaited<ReturnType<typeof makeRig>>['execute']>[0],
  ): Promise<ApplicationFailure> => {
    const rig = await makeRig();
    const failure: unknown = await rig.execute(given).catch((error: unknown) => error);
    if (!(failure instanceof ApplicationFailure)) throw new Error(`no failure: ${String(failure)}`);
    return failure;
  };

  test('exit 75 is thrown for Temporal to retry, after the time that the output asks for', async () => {
    const failure = await failureOf({
      run: sh(`echo 'HTTP/1.1 429 Too Many Requests'; echo 'Retry-After: 7'; exit 75`),
    });
    expect(failure).toMatchObject({ type: 'transient', nonRetryable: false, nextRetryDelay: 7_000 });
    expect(failure.message).toContain('429 Too Many Requests');
    expect(failure.details?.[0]).toMatchObject({ exitCode: 75, output: { bytes: 46 } });
  });

  test.each([
    [
      'a rate limit',
      `echo 'HTTP/1.1 429 Too Many Requests' >&2; echo 'Retry-After: 7' >&2; exit 1`,
      'rate-limited',
      7_000,
    ],
    ['a sentence of an API', `echo 'Error: rate limit reached, try again in 2s'; exit 1`, 'rate-limited', 2_000],
    ['an overloaded model', `echo 'API Error: 529 {"type":"error"}'; exit 3`, 'overloaded', undefined],
    ['a contract', `echo '{"status":"failed","notes":"503 Service Unavailable"}'`, 'overloaded', undefined],
  ])('%s is thrown like exit 75, by its words', async (_, script, type, nextRetryDelay) => {
    const failure = await failureOf({ run: sh(script) });
    expect(failure).toMatchObject({ type: 'transient', nonRetryable: false });
    expect(failure.nextRetryDelay).toBe(nextRetryDelay);
    expect(failure.details?.[0]).toMatchObject({ type, output: { sha256: expect.any(String) as string } });
  });

  test('what only mentions a rate limit, has another cause or succeeded is a result', async () => {
    const rig = await makeRig();
    const results = [
      `echo 'handles 429 responses' >&2; exit 1`,
      `echo '401 Unauthorized' >&2; exit 1`,
      `echo 'HTTP/1.1 429 Too Many Requests'; exit 0`,
      `echo '{"status":"blocked","notes":"429 Too Many Requests"}'; exit 1`,
    ];
    for (const [index, script] of results.entries()) {
      await expect(rig.execute({ run: sh(script), attempt: index + 1 })).resolves.toMatchObject({ end: 'exited' });
    }
  });

  test('without Retry-After the policy decides; without words there are ours', async () => {
    const failure = await failureOf({ run: sh('exit 75') });
    expect(failure.nextRetryDelay).toBeUndefined();
    expect(failure.message).toBe('The program asked to be run again later.');
  });

  test('the message is bounded', async () => {
    const failure = await failureOf({ run: sh(`yes 'a long complaint' | head -c 100000 >&2; exit 75`) });
    expect(failure.message.length).toBeLessThanOrEqual(limits.failureDetails);
  });

  test('the retry is no crash, and knows the deliverables as they were at first', async () => {
    const rig = await makeRig();
    await writeFile(join(rig.workspace, 'out.txt'), 'first');
    const given = {
      run: sh('echo changed > out.txt; [ -e again ] || { touch again; exit 75; }'),
      deliverables: ['out.txt'],
      onCrash: 'ask' as const,
    };
    await expect(rig.execute(given)).rejects.toMatchObject({ type: 'transient' });
    const execution = await rig.execute(given, activityEnvironment({ attempt: 2 }));
    expect(execution).toMatchObject({
      end: 'exited',
      exitCode: 0,
      reruns: 0,
      before: [{ path: 'out.txt', sha256: sha256('first') }],
    });
  });
});

describe('while it runs', () => {
  test('heartbeats carry the last line and the pid, and the log can be followed', async () => {
    const rig = await makeRig();
    const beats: { line?: string; pid?: number }[] = [];
    const environment = activityEnvironment();
    environment.on('heartbeat', (beat: { line?: string; pid?: number }) => beats.push(beat));
    const running = rig.execute(
      { run: sh(`echo step one; echo $$ > pid; while [ ! -e go ]; do sleep 0.05; done`) },
      environment,
    );
    const pid = Number(await readWhenThere(join(rig.workspace, 'pid')));
    expect(await readWhenThere(runningPaths(rig.root, rig.input({})).log)).toBe('step one');
    expect(await eventually(() => beats.some((beat) => beat.line === 'step one' && beat.pid === pid))).toBe(true);
    await writeFile(join(rig.workspace, 'go'), '');
    expect(await running).toMatchObject({ exitCode: 0 });
    const count = beats.length;
    await new Promise((resolve) => setTimeout(resolve, activityLimits.heartbeatInterval * 1.5));
    expect(beats.length).toBe(count);
  });

  test('a cancellation ends the program and its children, then the activity', async () => {
    const rig = await makeRig();
    const environment = activityEnvironment();
    const running = rig.execute({ run: sh('sleep 60 & echo "$$ $!" > pids; wait') }, environment);
    const pids = (await readWhenThere(join(rig.workspace, 'pids'))).split(' ').map(Number);
    environment.cancel();
    await expect(running).rejects.toBeInstanceOf(CancelledFailure);
    for (const pid of pids) expect(await isGone(pid)).toBe(true);
    expect(await readdir(runningPaths(rig.root, rig.input({})).folder)).toEqual([]);
  });

  test('cancelled before the program started, it does not start, and that is no crash', async () => {
    const rig = await makeRig();
    const environment = activityEnvironment();
    environment.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true }));
    const given = { run: sh('touch ran'), onCrash: 'ask' as const };
    await expect(rig.execute(given, environment)).rejects.toBeInstanceOf(CancelledFailure);
    expect(existsSync(join(rig.workspace, 'ran'))).toBe(false);
    expect(await rig.execute(given, activityEnvironment({ attempt: 2 }))).toMatchObject({
      end: 'exited',
      reruns: 0,
    });
  });
});
