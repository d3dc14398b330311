/* How a workflow calls each kind of executor, on the real server: what is passed, what comes back, and what a dead worker means. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker';
import '../../support/quiet-runtime.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { FileStore } from '../../../activities/store/file-store.ts';
import { createComposeCall } from '../../../activities/execute/compose-call.ts';
import type { DependencyResult, ExecuteInput } from '../../../domain/types/attempt.ts';
import { nothingUsed } from '../../../domain/llm/usage.ts';
import type { ResourceUsage } from '../../../domain/types/outcome.ts';
import type { PlanRow } from '../../../domain/types/plan.ts';
import type { TaskSettings } from '../../../domain/types/task-settings.ts';
import type { Ref } from '../../../domain/types/basic/ref.ts';
import { completePlan, planDefaults } from '../../../domain/plan/complete-plan.ts';
import { pageDefinitions } from '../../../domain/plan/plan-pages.ts';
import { buildPlanRow } from '../../../domain/plan/plan-rows.ts';
import type { AttemptTiming } from '../../../workflows/task/activity-options.ts';
import { accepted } from '../../domain/plan/plan-sample.ts';
import type { ExecutedOnce, executeOnce } from './execute-once.ts';

const queue = `by-kind-${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), 'heddle-by-kind-'));
const store = new FileStore(join(folder, 'store'));
const seen: unknown[] = [];
let answer: () => unknown = () => ({ status: 'success' });
let native: NativeConnection;
let connection: Connection;
let client: Client;
let worker: Worker;
let running: Promise<void>;

beforeAll(async () => {
  native = await NativeConnection.connect({ address: inject('temporalAddress') });
  connection = await Connection.connect({ address: inject('temporalAddress') });
  client = new Client({ connection });
  const quiet = () => undefined;
  const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet };
  worker = await Worker.create({
    connection: native,
    taskQueue: queue,
    workflowBundle: await bundleWorkflowCode({ workflowsPath: join(import.meta.dirname, 'execute-once.ts'), logger }),
    activities: {
      composeCall: createComposeCall(store),
      executeSubtask: (input: ExecuteInput) => ({ kind: 'finished', preview: input.subtaskId, stdoutBytes: 0 }),
      review(input: unknown): unknown {
        seen.push(input);
        return answer();
      },
    },
  });
  running = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await connection.close();
  await native.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Case {
  executor?: object;
  /** Keys of the activity. */
  more?: object;
  description?: string;
  inputs?: ExecuteInput['inputs'];
  plan?: Ref;
  timeout?: number;
  tries?: number;
  usedBefore?: ResourceUsage;
}

let runs = 0;

async function executed(given: Case = {}): Promise<ExecutedOnce> {
  const executor = given.executor ?? { kind: 'activity', name: 'review', taskQueue: queue, ...given.more };
  const { description = 'look at it' } = given;
  const plan = accepted({ goal: 'the goal', subtasks: [{ id: 'a', description, executor }] });
  const { subtasks, ...rest } = completePlan(plan);
  const [page] = pageDefinitions(plan.goal, subtasks).pages;
  const row: PlanRow | undefined = subtasks.map(buildPlanRow)[0];
  if (page === undefined || row === undefined) throw new Error('no subtask');
  const place = { id: 't', project: 'p', workspace: '/work', host: 'h', hostQueue: queue, searchAttributes: [] };
  const setting: TaskSettings = { ...rest, ...place };
  const timeout = given.timeout ?? row.call.timeout;
  const retry = { ...planDefaults.retry, initialInterval: 20, maximumInterval: 20, maximumAttempts: given.tries ?? 1 };
  const call: AttemptTiming = { subtask: 'a', attempt: 2, timeout, step: { rung: 1, tier: 2, thinking: true, retry } };
  const input: ExecuteInput = {
    taskId: 't',
    subtaskId: 'a',
    chain: 'c',
    startedAt: '2026-01-01T00:00:00.000Z',
    plan: given.plan ?? (await store.put(page.text)),
    workspace: '/work',
    attempt: 2,
    tier: 2,
    thinking: true,
    timeout,
    context: { guidance: ['use the staging key'], steering: [], retry: null },
    inputs: given.inputs ?? [],
    idempotencyKey: 't/a/2',
  };
  runs += 1;
  return client.workflow.execute<typeof executeOnce>('executeOnce', {
    workflowId: `${queue}-${runs}`,
    taskQueue: queue,
    args: [setting, row, call, input, given.usedBefore ?? nothingUsed],
  });
}

test('a command is the business of executeSubtask', async () => {
  expect(await executed({ executor: { kind: 'command', run: ['sh'] } })).toEqual({
    outcome: { kind: 'finished', preview: 'a', stdoutBytes: 0 },
    admitted: [],
  });
});

describe("an activity of the user's own", () => {
  test('is told what the contract says, and its contract is the outcome', async () => {
    answer = () => ({ status: 'success', notes: 'it is fine', costUsd: 0.5, tokens: 7, more: 'x'.repeat(10) });
    const result: DependencyResult = { id: 'b', status: 'success', notes: 'n', deliverables: ['b.md'], preview: 'p' };
    const { outcome, admitted } = await executed({
      inputs: [
        { id: 'b', status: 'success', notes: '', result: await store.put(JSON.stringify(result)) },
        { id: 'c', status: 'skipped', notes: 'a person skipped it', result: null },
      ],
    });
    expect(outcome).toEqual({
      kind: 'finished',
      used: { costUsd: 0.5, tokens: 7 },
      reruns: 0,
      contract: { status: 'success', notes: 'it is fine', costUsd: 0.5, tokens: 7 },
      preview: 'it is fine',
      stdoutBytes: 0,
    });
    expect(seen.at(-1)).toEqual({
      taskId: 't',
      subtaskId: 'a',
      attempt: 2,
      tier: 2,
      thinking: true,
      idempotencyKey: 't/a/2',
      prompt: expect.stringMatching(/use the staging key[^]*look at it[^]*the goal/) as string,
      inputs: [result, { id: 'c', status: 'skipped', notes: 'a person skipped it', deliverables: [], preview: '' }],
      workspace: '/work',
    });
    expect(admitted).toEqual([expect.any(Number)]);
  });

  test('with a description above what one message takes is told a bounded one', async () => {
    answer = () => ({ status: 'success' });
    const { outcome, admitted } = await executed({ description: 'é'.repeat(600_000) });
    expect(outcome).toMatchObject({ kind: 'finished' });
    expect(admitted[0]).toBeLessThan(300_000);
    const { prompt } = seen.at(-1) as { prompt: string };
    expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(256 * 1024);
    expect(prompt).toMatch(/its end is missing\.$/);
  });

  test.each([
    ['failed', { status: 'failed', notes: 'the stars are wrong', costUsd: 2 }, 'tool-failed', 2],
    ['blocked', { status: 'blocked', notes: 'the oracle sleeps' }, 'blocked', 0],
    ['no contract', 'done', 'tool-failed', 0],
  ])('that says %s has failed, classified once', async (_, reply, type, costUsd) => {
    answer = () => reply;
    expect((await executed()).outcome).toMatchObject({
      kind: 'failed',
      failure: { type },
      used: { costUsd, tokens: 0 },
      reruns: 0,
    });
  });

  test.each([
    ['finished', { status: 'success', costUsd: 0.2, tokens: 5 }, { costUsd: 0.3, tokens: 12 }],
    ['failed', { status: 'failed', costUsd: 0.2, tokens: 5 }, { costUsd: 0.3, tokens: 12 }],
    ['without a contract', 'done', { costUsd: 0.1, tokens: 7 }],
  ])('%s tells what the whole attempt used, also before a wait', async (_, reply, used) => {
    answer = () => reply;
    expect((await executed({ usedBefore: { costUsd: 0.1, tokens: 7 } })).outcome).toMatchObject({ used });
  });

  test('that throws is lost, by the words of its failure', async () => {
    answer = () => {
      throw ApplicationFailure.nonRetryable('401 Unauthorized', 'HttpError');
    };
    expect((await executed()).outcome).toMatchObject({ failure: { type: 'auth' } });
  });

  test('whose time is over has failed by its time limit, once', async () => {
    const before = seen.length;
    answer = () => new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await executed({ timeout: 1_000, tries: 3 })).outcome).toMatchObject({
      kind: 'failed',
      failure: { type: 'timeout', summary: 'It did not finish within 1 s.' },
    });
    expect(seen).toHaveLength(before + 1);
  });

  test('whose worker goes silent is tried again; the environment is to blame when that is spent', async () => {
    const before = seen.length;
    // As after a kill: nobody beats and nobody answers within the heartbeat.
    answer = () => new Promise((resolve) => setTimeout(resolve, 2_500));
    const { outcome } = await executed({ more: { heartbeat: '500ms' }, tries: 2 });
    expect(outcome).toMatchObject({ failure: { type: 'environment', category: 'environment' } });
    expect(seen).toHaveLength(before + 2);
  });

  test('that beats may be slow', async () => {
    answer = async () => {
      const { heartbeat } = Context.current();
      const beat = setInterval(() => {
        heartbeat();
      }, 100);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      clearInterval(beat);
      return { status: 'success' };
    };
    expect((await executed({ more: { heartbeat: '800ms' } })).outcome).toMatchObject({ kind: 'finished' });
  });

  test('is not called when its plan is gone from the store', async () => {
    const before = seen.length;
    const { outcome } = await executed({ plan: { sha256: 'f'.repeat(64), bytes: 1 }, tries: 5 });
    expect(outcome).toMatchObject({ failure: { details: expect.stringContaining('STORE_MISSING') as string } });
    expect(seen).toHaveLength(before);
  });
});
