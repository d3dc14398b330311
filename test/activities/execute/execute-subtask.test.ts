// The activity executeSubtask as Temporal calls it: prompt, environment, results, output, cancellation.
import { ActivityCancellationDetails, ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { EnvironmentSecrets } from '../../../activities/redact/secrets.ts';
import { createExecuteSubtask } from '../../../activities/execute/execute-subtask.ts';
import { sha256 } from '../../../activities/system/hash-file.ts';
import { limits } from '../../../domain/limits/domain-limits.ts';
import type { CommandExecutor } from '../../../domain/executors/command.ts';
import { reportRequest } from '../../../domain/prompts/report-request.ts';
import { activityLimits } from '../../../activities/limits/activity-limits.ts';
import type { Outcome } from '../../../domain/types/outcome.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import { withoutGit } from './program/without-git.ts';
import {
  activityEnvironment,
  eventually,
  failureIn,
  finished,
  isGone,
  makeRig,
  readWhenThere,
  writeProgram,
  type Given,
  type Rig,
} from './program/support.ts';

const sh = (script: string): string[] => ['sh', '-c', script];

describe('what a program receives', () => {
  const description = '<guidance>grüße & "quotes" $HOME `x`</guidance>\nline 2\n';
  const [report = ''] = reportRequest({ executor: { kind: 'command' } as CommandExecutor, diff: false });
  const prompt = `${description}\n\nIf something you need is missing, report the gap; do not substitute it.\n\n${report}\n\nGoal of the task: the goal`;

  test('the prompt on stdin', async () => {
    const rig = await makeRig();
    const { stdout } = finished(await rig.execute({ run: ['cat'], description }));
    expect((await rig.store.get(stdout!)).toString()).toBe(prompt);
  });

  test('the prompt as the last argument, and nothing on stdin', async () => {
    const rig = await makeRig();
    const run = sh('printf %s "$2"; echo "[$1]"; cat').concat('name', 'given');
    const given = { run, delivery: 'argument' as const, description: `a\0b${description}` };
    const { stdout } = finished(await rig.execute(given));
    expect((await rig.store.get(stdout!)).toString()).toBe(`a\uFFFDb${prompt}[given]\n`);
  });

  test('the prompt in a file that is gone afterwards', async () => {
    const rig = await makeRig();
    const run = sh('echo "$HEDDLE_PROMPT_FILE"; cat "$HEDDLE_PROMPT_FILE"');
    const { stdout } = finished(await rig.execute({ run, delivery: 'file', description }));
    const [path = '', ...rest] = (await rig.store.get(stdout!)).toString().split('\n');
    expect(rest.join('\n')).toBe(prompt);
    expect(existsSync(path)).toBe(false);
  });

  test('a prompt with guidance, steering, earlier failures and the results of its dependencies', async () => {
    const rig = await makeRig();
    const failure: Failure = {
      type: 'tool-failed',
      category: 'quality',
      signature: 'tool-failed-a',
      summary: 'it broke',
      details: '',
      rootCause: '',
      suggestedFix: 'mend it',
    };
    const endedAt = '2026-01-01T00:00:00.000Z';
    const retry = { maxAttempts: 8, failures: [{ attempt: 1, endedAt, failure, files: [] }], hint: null };
    const { stdout } = finished(
      await rig.execute({
        run: ['cat'],
        attempt: 2,
        promptContext: { guidance: ['use the other key'], steering: ['be brief'], retry },
        inputs: [
          { id: 'a', status: 'success', notes: 'did a', deliverables: [], preview: 'last line of a' },
          { id: 'b', status: 'skipped', notes: 'ana said so', result: null },
        ],
      }),
    );
    const prompt = (await rig.store.get(stdout!)).toString();
    for (const words of [
      'use the other key',
      'be brief',
      '<retry_context attempt="2" max_attempts="8">',
      '<error_summary>it broke</error_summary>',
      '<original_intent>Do it.</original_intent>',
      '<output>last line of a</output>',
      'This result is missing: it was skipped (ana said so)',
    ]) {
      expect(prompt).toContain(words);
    }
  });

  test("a clean environment with Heddle's variables and the named ones", async () => {
    const rig = await makeRig({
      PATH: withoutGit().PATH,
      HOME: '/h',
      GH_TOKEN: 'ghp_tok',
      AWS_SECRET: 'leak',
      HEDDLE_TIER: '9',
    });
    const { stdout } = finished(
      await rig.execute({
        run: [process.execPath, '-e', 'console.log(JSON.stringify(process.env))'],
        env: ['GH_TOKEN'],
        subtaskId: 'entwürfe',
        attempt: 4,
        tier: 2,
        thinking: true,
        idempotencyKey: 'key-1',
      }),
    );
    expect(JSON.parse((await rig.store.get(stdout!)).toString())).toEqual({
      PATH: withoutGit().PATH,
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
      HEDDLE_EVIDENCE_FILE: expect.stringMatching(/^\/.*evidence\.jsonl$/) as string,
    });
  });

  test('the full results of its dependencies in a file, their output by path', async () => {
    const rig = await makeRig();
    const output = await rig.store.put('all that was printed');
    const inputs = [
      { id: 'a', status: 'success' as const, notes: 'n', deliverables: ['x.md'], preview: 'printed', output },
      { id: 'b', status: 'skipped' as const, notes: '', deliverables: [], preview: '' },
    ];
    const { stdout } = finished(await rig.execute({ run: sh('cat "$HEDDLE_INPUTS_FILE"'), inputs }));
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
    expect(finished(await rig.execute({ run: ['./agent.sh'] })).preview).toBe(rig.workspace);
  });
});

describe('what is reported', () => {
  test('the contract, both streams by reference, what it used, and what the deliverables were before', async () => {
    const rig = await makeRig();
    await writeFile(join(rig.workspace, 'NOTES.md'), 'old');
    const script = `echo new > NOTES.md; echo complaint >&2; sleep 0.1; echo '{"status":"success","notes":"did it","costUsd":0.1}'`;
    const given = { run: sh(script), deliverables: ['NOTES.md', 'absent.md'] };
    const outcome = finished(await rig.execute(given));
    expect(outcome).toEqual({
      kind: 'finished',
      contract: { status: 'success', notes: 'did it', costUsd: 0.1 },
      preview: '{"status":"success","notes":"did it","costUsd":0.1}',
      stdout: expect.objectContaining({ bytes: 52 }) as object,
      stdoutBytes: 52,
      output: expect.objectContaining({ bytes: 62 }) as object,
      used: { costUsd: 0.1, tokens: 0 },
      reruns: 0,
    });
    expect((await rig.record(given)).before).toEqual([
      { path: 'NOTES.md', sha256: sha256('old') },
      { path: 'absent.md', sha256: null },
    ]);
    expect((await rig.store.get(outcome.output!)).toString()).toBe(
      'complaint\n{"status":"success","notes":"did it","costUsd":0.1}\n',
    );
    expect((await rig.store.get(outcome.stdout!)).toString()).not.toContain('complaint');
  });

  test.each<[what: string, given: Given, failure: Partial<Failure>]>([
    ['a non-zero exit', { run: sh('echo oh >&2; exit 77') }, { type: 'permission', category: 'never-retry' }],
    [
      'a signal',
      { run: sh('kill -KILL $$') },
      { type: 'tool-failed', summary: expect.stringContaining('SIGKILL') as string },
    ],
    ['the time limit', { run: sh('echo on it; sleep 60'), timeout: 300 }, { type: 'timeout', details: 'on it' }],
    [
      'a contract that says blocked',
      { run: ['echo', '{"status":"blocked","notes":"no key"}'] },
      { type: 'blocked', summary: 'no key' },
    ],
    [
      'a refused connection',
      { run: sh('echo "connect ECONNREFUSED 127.0.0.1:1" >&2; exit 1') },
      { type: 'environment', category: 'environment' },
    ],
  ])('%s is a failure, classified', async (_, given, failure) => {
    const rig = await makeRig();
    const outcome = await rig.execute(given);
    expect(failureIn(outcome)).toMatchObject(failure);
    expect(outcome).toMatchObject({
      reruns: 0,
      used: { costUsd: 0, tokens: 0 },
      output: { sha256: expect.any(String) as string },
    });
    expect(await rig.record(given)).toMatchObject({ state: 'ended', outcome });
  });

  test('much output is whole in the store and short in the history', async () => {
    const rig = await makeRig();
    const run = sh(`yes 'some line of output' | head -c 12582912; echo; echo '{"status":"success"}'`);
    const outcome = finished(await rig.execute({ run }));
    expect(outcome).toMatchObject({ contract: { status: 'success' }, stdoutBytes: 12_582_934 });
    expect(outcome.stdout?.bytes).toBe(12_582_934);
    expect(outcome.preview.split('\n')).toHaveLength(10);
    expect(JSON.stringify(outcome).length).toBeLessThan(1_500);
    expect((await rig.store.tail(outcome.output!, 21)).toString()).toBe('{"status":"success"}\n');
  });

  test('the preview is bounded whatever the lines are', async () => {
    const rig = await makeRig();
    const { preview } = finished(await rig.execute({ run: sh(`yes 'ü' | tr -d '\\n' | head -c 100000`) }));
    expect(preview.length).toBeLessThanOrEqual(limits.preview);
  });

  test('a very long last line is output and no contract, even if a piece of it would be one', async () => {
    const rig = await makeRig();
    const script = `process.stdout.write('{"status":"success"}'.repeat(20000))`;
    const outcome = finished(await rig.execute({ run: [process.execPath, '-e', script] }));
    expect(outcome.contract).toBeUndefined();
    expect(outcome.stdoutBytes).toBe(400_000);
    const exact = `process.stdout.write('x'.repeat(1000) + '{"status":"success","notes":"' + 'n'.repeat(131072 - 31) + '"}')`;
    const second = finished(await rig.execute({ run: [process.execPath, '-e', exact], attempt: 2 }));
    expect(second.contract).toBeUndefined();
  });

  test('a contract of nearly the longest line is found', async () => {
    const rig = await makeRig();
    const script = `console.log('x'.repeat(300000)); console.log(JSON.stringify({ status: 'partial', pad: 'p'.repeat(65000) }) + '\\n\\n')`;
    expect(finished(await rig.execute({ run: [process.execPath, '-e', script] })).contract).toEqual({
      status: 'partial',
    });
  });

  test('invalid UTF-8 and zero bytes do no harm', async () => {
    const rig = await makeRig();
    const outcome = finished(
      await rig.execute({ run: sh(`printf '\\377\\376\\000\\200abc\\n{"status":"success"}\\n'`) }),
    );
    expect(outcome.contract).toEqual({ status: 'success' });
    expect(outcome.preview.isWellFormed()).toBe(true);
    expect((await rig.store.get(outcome.stdout!)).subarray(0, 4)).toEqual(Buffer.from([0xff, 0xfe, 0, 0x80]));
  });

  test('a secret that the program prints does not get into the history', async () => {
    const rig = await makeRig({ PATH: withoutGit().PATH, API_KEY: 'sk-1234567890' });
    const beats: unknown[] = [];
    const environment = activityEnvironment();
    environment.on('heartbeat', (beat) => beats.push(beat));
    const script = `echo "key $API_KEY" >&2; sleep 1.3; echo "{\\"status\\":\\"failed\\",\\"notes\\":\\"bad $API_KEY\\"}"`;
    const outcome = await rig.execute({ run: sh(script), env: ['API_KEY'] }, environment);
    expect(failureIn(outcome)).toMatchObject({ summary: 'bad [API_KEY]', details: 'key [API_KEY]' });
    expect(JSON.stringify([outcome, beats])).not.toContain('sk-1234567890');
    expect(JSON.stringify(beats)).toContain('key [API_KEY]');
  });

  test('nothing is left but the record of the end', async () => {
    const rig = await makeRig();
    await rig.execute({ run: ['echo', 'x'], delivery: 'file' });
    const { folder, record } = await rig.paths();
    expect(await readdir(folder)).toEqual([basename(record)]);
    expect(await rig.record()).toMatchObject({ state: 'ended' });
    expect(await readdir(join(rig.root, 'store', 'tmp')).catch(() => [])).toEqual([]);
  });
});

describe('what cannot start', () => {
  const refused = async (rig: Rig, given: Given): Promise<Failure> => failureIn(await rig.execute(given));

  test('a program that is not there', async () => {
    const rig = await makeRig({ PATH: '/usr/bin:/bin' });
    expect(await refused(rig, { run: ['heddle-no-such-program'] })).toMatchObject({
      type: 'context-missing',
      details: 'The program "heddle-no-such-program" was not found on the PATH (/usr/bin:/bin).',
    });
  });

  test('a program that may not run', async () => {
    const rig = await makeRig();
    await writeFile(join(rig.workspace, 'agent.sh'), '#!/bin/sh\n', { mode: 0o644 });
    expect(await refused(rig, { run: ['./agent.sh'] })).toMatchObject({ type: 'permission' });
  });

  test('a program whose variables are not set', async () => {
    const rig = await makeRig({ PATH: withoutGit().PATH });
    expect(await refused(rig, { run: sh('touch ran'), env: ['GH_TOKEN'] })).toMatchObject({
      category: 'never-retry',
      details:
        'The variable GH_TOKEN is not set: the command that started or last answered the task has no value, nor does the worker.',
    });
    expect((await refused(rig, { env: ['A', 'B'], attempt: 2 })).details).toBe(
      'The variables A and B are not set: the command that started or last answered the task has no value, nor does the worker.',
    );
    expect(existsSync(join(rig.workspace, 'ran'))).toBe(false);
  });

  test('a program without its workspace', async () => {
    const rig = await makeRig();
    await rm(rig.workspace, { recursive: true });
    expect(await refused(rig, {})).toMatchObject({
      type: 'context-missing',
      details: `The workspace ${rig.workspace} does not exist, or is not a folder.`,
    });
  });

  test("a program whose dependency's result, or its output, is lost or something else", async () => {
    const rig = await makeRig();
    const lost = { sha256: 'ab'.repeat(32), bytes: 3 };
    const result = { id: 'a', status: 'success' as const, notes: '', deliverables: [], preview: '' };
    const other = await rig.store.put('"no result"');
    const cases = [
      { ...result, output: lost },
      { ...result, result: lost },
      { ...result, result: other },
    ];
    const codes = ['STORE_MISSING', 'STORE_MISSING', 'STORE_DAMAGED'];
    for (const [index, input] of cases.entries()) {
      const failure = await refused(rig, { run: sh('touch ran'), inputs: [input], attempt: index + 1 });
      expect(failure.details).toContain(codes[index]);
    }
    expect(existsSync(join(rig.workspace, 'ran'))).toBe(false);
  });

  test('a prompt that is too long for an argument says what to do', async () => {
    const rig = await makeRig();
    const given = { run: ['echo'], delivery: 'argument' as const, description: 'x'.repeat(3_000_000) };
    expect((await refused(rig, given)).details).toContain('stdin or file');
  });

  test('a home that cannot be written is told as the system error it is', async () => {
    const rig = await makeRig();
    await mkdir(rig.root, { recursive: true });
    await writeFile(join(rig.root, 'running'), 'a file where the folder should be');
    expect((await refused(rig, { run: sh('touch ran') })).details).toContain('ENOTDIR');
    expect(existsSync(join(rig.workspace, 'ran'))).toBe(false);
  });

  test('output that cannot be stored is never a success', async () => {
    const rig = await makeRig();
    const input = await rig.input({ run: ['echo', 'x'] });
    // The page of the plan was read before the store broke.
    await rig.execute({ run: ['echo', 'x'] });
    await rm(join(rig.root, 'store', 'objects'), { recursive: true });
    await writeFile(join(rig.root, 'store', 'objects'), 'a file where the folder should be');
    const executeSubtask = createExecuteSubtask({
      ...rig,
      secrets: new EnvironmentSecrets(withoutGit()),
      logger: { warn: () => undefined },
    });
    const outcome: Outcome = await activityEnvironment().run(executeSubtask, { ...input, attempt: 2 });
    expect(failureIn(outcome).details).toContain('ENOTDIR');
    expect(outcome.output).toBeUndefined();
  });

  test('a plan whose page is lost, or does not have the subtask, is no failure of the attempt: a person must mend it', async () => {
    const rig = await makeRig();
    const executeSubtask = createExecuteSubtask({
      ...rig,
      secrets: new EnvironmentSecrets(withoutGit()),
      logger: { warn: () => undefined },
    });
    const input = await rig.input({});
    const run = (given: Partial<typeof input>): Promise<unknown> =>
      activityEnvironment().run(executeSubtask, { ...input, ...given });
    await expect(run({ plan: { sha256: 'cd'.repeat(32), bytes: 9 } })).rejects.toMatchObject({
      type: 'STORE_MISSING',
      nonRetryable: true,
    });
    await expect(run({ subtaskId: 'other' })).rejects.toMatchObject({
      type: 'PLAN_PAGE_WITHOUT_SUBTASK',
      nonRetryable: true,
    });
    await expect(run({ plan: await rig.store.put('[]') })).rejects.toMatchObject({ type: 'PLAN_PAGE_WITHOUT_SUBTASK' });
  });
});

describe('trouble that passes', () => {
  const failureOf = async (given: Given): Promise<ApplicationFailure> => {
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
    expect(failure.details).toEqual([
      {
        failure: expect.objectContaining({ type: 'rate-limited', category: 'transient' }) as object,
        used: { costUsd: 0, tokens: 0 },
        reruns: 0,
        output: expect.objectContaining({ bytes: 46 }) as object,
      },
    ]);
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
    expect(failure.details?.[0]).toMatchObject({ failure: { type }, output: { sha256: expect.any(String) as string } });
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
      await expect(rig.execute({ run: sh(script), attempt: index + 1 })).resolves.toMatchObject({
        kind: index === 2 ? 'finished' : 'failed',
      });
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
    expect(await rig.execute(given, activityEnvironment({ attempt: 2 }))).toMatchObject({
      kind: 'finished',
      reruns: 0,
    });
    expect((await rig.record(given)).before).toEqual([{ path: 'out.txt', sha256: sha256('first') }]);
  });
});

describe('what an attempt used', () => {
  const paid = (status: string, exit = 0): string =>
    `echo '{"status":"${status}","costUsd":0.1,"tokens":10,"notes":"503 Service Unavailable"}'; exit ${exit}`;

  test('is the sum of all its tries, also of those that a retry policy absorbed', async () => {
    const rig = await makeRig();
    const given = {
      run: sh(`[ -e twice ] && { ${paid('success')}; }; [ -e once ] && touch twice; touch once; ${paid('failed', 75)}`),
    };
    for (const attempt of [1, 2]) {
      const last: unknown = await rig.execute(given, activityEnvironment({ attempt })).catch((error: unknown) => error);
      expect(last).toMatchObject({ details: [{ used: { costUsd: attempt / 10, tokens: attempt * 10 } }] });
    }
    const outcome = await rig.execute(given, activityEnvironment({ attempt: 3 }));
    expect(outcome).toMatchObject({ kind: 'finished', used: { costUsd: 0.3, tokens: 30 } });
  });

  test('goes on through a wait, which is another scheduling, and through continue-as-new', async () => {
    const rig = await makeRig();
    const given = { run: sh(paid('success')) };
    await rig.execute(given);
    const workflowExecution = { workflowId: 'task-t1', runId: 'next-run' };
    const next = await rig.execute(given, activityEnvironment({ workflowExecution, scheduledTimestampMs: 9 }));
    expect(next).toMatchObject({ used: { costUsd: 0.2, tokens: 20 } });
  });

  test('is nothing of an attempt from before a reset of the workflow', async () => {
    const rig = await makeRig();
    const given = { run: sh(paid('success')) };
    await rig.execute(given);
    const outcome = await rig.execute({ ...given, startedAt: '2026-01-02T00:00:00.000Z' });
    expect(outcome).toMatchObject({ used: { costUsd: 0.1, tokens: 10 } });
  });

  test('counts when it is cancelled', async () => {
    const rig = await makeRig();
    const environment = activityEnvironment();
    const given = {
      run: sh(`trap "${paid('partial').replaceAll('"', '\\"')}" TERM; echo begun > begun; sleep 60 & wait`),
    };
    const running = rig.execute(given, environment);
    await readWhenThere(join(rig.workspace, 'begun'));
    environment.cancel();
    expect(await running).toMatchObject({
      kind: 'failed',
      failure: { type: 'cancelled', category: 'never-retry' },
      used: { costUsd: 0.1, tokens: 10 },
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
    expect(await readWhenThere((await rig.paths()).log)).toBe('step one');
    expect(await eventually(() => beats.some((beat) => beat.line === 'step one' && beat.pid === pid))).toBe(true);
    await writeFile(join(rig.workspace, 'go'), '');
    expect(await running).toMatchObject({ kind: 'finished' });
    const count = beats.length;
    await new Promise((resolve) => setTimeout(resolve, activityLimits.heartbeatInterval * 1.5));
    expect(beats.length).toBe(count);
  });

  test('a cancellation ends the program and its children, and is an outcome', async () => {
    const rig = await makeRig();
    const environment = activityEnvironment();
    const given = { run: sh('echo so far; sleep 60 & echo "$$ $!" > pids; wait') };
    const running = rig.execute(given, environment);
    const pids = (await readWhenThere(join(rig.workspace, 'pids'))).split(' ').map(Number);
    environment.cancel();
    const outcome = await running;
    expect(failureIn(outcome)).toMatchObject({ type: 'cancelled', category: 'never-retry' });
    expect((await rig.store.get(outcome.output!)).toString()).toBe('so far\n');
    for (const pid of pids) expect(await isGone(pid)).toBe(true);
    const { folder, record } = await rig.paths();
    expect(await readdir(folder)).toEqual([basename(record)]);
  });

  test('cancelled before the program started, it does not start, and that is no crash', async () => {
    const rig = await makeRig();
    const environment = activityEnvironment();
    environment.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true }));
    const given = { run: sh('touch ran'), onCrash: 'ask' as const };
    await expect(rig.execute(given, environment)).rejects.toBeInstanceOf(CancelledFailure);
    expect(existsSync(join(rig.workspace, 'ran'))).toBe(false);
    expect(await rig.execute(given, activityEnvironment({ attempt: 2 }))).toMatchObject({
      kind: 'finished',
      reruns: 0,
    });
  });
});
