// The executor `activity`: the user's own activity on the user's own queue, in a worker that knows nothing of Heddle.
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { PlanInput } from '../../client/index.ts';
import { decisionOpened, endOf, eventOf, useRig } from '../support/rig.ts';
import { told } from './typed-events.ts';

const rig = useRig();

interface Input {
  taskId: string;
  subtaskId: string;
  attempt: number;
  tier: number;
  thinking: boolean;
  idempotencyKey: string;
  prompt: string;
  inputs: { id: string; status: string; notes: string }[];
  workspace: string;
}

const seen: Input[] = [];
const ofTask = (taskId: string): Input[] => seen.filter((input) => input.taskId === taskId);
/** Behaviour of the activity in each attempt of a subtask; success after the last. */
let answers: Record<string, (() => unknown)[]> = {};
const queue = `own-${process.pid}`;
let connection: NativeConnection;
let worker: Worker;
let running: Promise<void>;

beforeAll(async () => {
  connection = await NativeConnection.connect({ address: inject('temporalAddress') });
  worker = await Worker.create({
    connection,
    taskQueue: queue,
    activities: {
      askTheOracle(input: Input): unknown {
        seen.push(input);
        return answers[input.subtaskId]?.shift()?.() ?? { status: 'success', notes: `${input.subtaskId} is 42` };
      },
    },
  });
  running = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await connection.close();
});

const executor = { kind: 'activity' as const, name: 'askTheOracle', taskQueue: queue };
const planOf = (subtasks: NonNullable<PlanInput['subtasks']>, rest: Partial<PlanInput> = {}): PlanInput => ({
  goal: 'ask',
  executor,
  ladder: [
    { tier: 'assigned', retry: { initialInterval: '20ms', backoff: 1, maximumInterval: '20ms', maximumAttempts: 3 } },
    { tier: 'highest', thinking: true },
    { person: true },
  ],
  ...rest,
  subtasks,
});

describe("the user's own activity", () => {
  test('gets what a program gets, and its contract flows on', async () => {
    const workspace = rig.workspace();
    answers = {};
    const task = await rig.start(
      planOf(
        [
          { id: 'first', description: 'find it', tier: 2 },
          { id: 'second', dependsOn: ['first'] },
        ],
        { workspace },
      ),
    );
    expect(await endOf(task)).toBe('completed');
    const [first, second] = ofTask(task.id);
    expect(Object.keys(first ?? {}).sort()).toEqual(
      ['attempt', 'idempotencyKey', 'inputs', 'prompt', 'subtaskId', 'taskId', 'thinking', 'tier', 'workspace'].sort(),
    );
    expect(first).toMatchObject({
      subtaskId: 'first',
      attempt: 1,
      tier: 2,
      thinking: false,
      idempotencyKey: `${task.id}/first/1`,
      inputs: [],
      workspace,
      prompt: expect.stringContaining('find it') as string,
    });
    expect(second?.inputs).toMatchObject([{ id: 'first', status: 'success', notes: 'first is 42' }]);
    expect(second?.prompt).toContain('<notes>first is 42</notes>');
    const { events } = await rig.temporal.workflow.getHandle(task.workflowId).fetchHistory();
    const scheduled = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: it }) => (it ? [it] : []));
    expect(scheduled.find(({ activityId }) => activityId === 'first-1-execute')).toMatchObject({
      activityType: { name: 'askTheOracle' },
      taskQueue: { name: queue },
    });
  });

  test('failures and statuses are those of a program: failed and wrong results climb, blocked asks', async () => {
    answers = {
      fails: [() => ({ status: 'failed', notes: 'the stars are wrong', costUsd: 0.5, tokens: 3 })],
      wrong: [() => 'done', () => ({ status: 'finished' })],
      throws: [
        () => {
          throw ApplicationFailure.nonRetryable('no incense', 'IncenseError');
        },
      ],
      stuck: [() => ({ status: 'blocked', notes: 'the oracle sleeps' })],
    };
    const task = await rig.start(planOf([{ id: 'fails' }, { id: 'wrong' }, { id: 'throws' }, { id: 'stuck' }]));
    const { decision } = await told(task, 'decision.opened', ({ decision: { id } }) => id === 'stuck-1');
    expect(decision.problem).toContain('the oracle sleeps');
    await task.decide({ decisionId: 'stuck-1', option: 'retry' });
    await eventOf(task, decisionOpened('wrong-1'));
    await task.decide({ decisionId: 'wrong-1', option: 'retry' });
    expect(await endOf(task)).toBe('completed');
    const records = await task.attempts();
    const said = (id: string) =>
      records.filter(({ subtask }) => subtask === id).map(({ type, summary }) => [type, summary]);
    expect(said('fails')[0]).toEqual(['tool-failed', 'the stars are wrong']);
    expect(said('wrong').map(([type]) => type)).toEqual(['tool-failed', 'tool-failed', null]);
    expect(said('wrong')[0]?.[1]).toContain('did not return a completion contract');
    expect(said('throws')[0]).toEqual(['tool-failed', 'no incense']);
    const again = ofTask(task.id).filter(({ subtaskId, attempt }) => subtaskId === 'throws' && attempt === 2);
    expect(again).toMatchObject([{ tier: 3, thinking: true }]);
    expect(again[0]?.prompt).toContain('IncenseError: no incense');
    expect((await task.status()).budget).toMatchObject({ costUsd: { used: 0.5 }, tokens: { used: 3 } });
  });

  test('its failures are classified like those of a program: by their type, then by their words', async () => {
    const fails = (message: string, type: string) => [
      () => {
        throw ApplicationFailure.nonRetryable(message, type);
      },
    ];
    answers = {
      auth: fails('401 Unauthorized', 'HttpError'),
      limited: fails('slow down', 'RateLimitError'),
      sick: fails('connect ECONNREFUSED 127.0.0.1:1', 'Error'),
      busy: [() => ({ status: 'failed', notes: '503 Service Unavailable' })],
      mentions: fails('the docs of 401 Unauthorized are missing', 'Error'),
    };
    const task = await rig.start(planOf(Object.keys(answers).map((id) => ({ id }))));
    await eventOf(task, decisionOpened('auth-1'));
    await eventOf(task, decisionOpened('limited-1'));
    for (const id of ['auth', 'limited']) await task.decide({ decisionId: `${id}-1`, option: 'retry' });
    expect(await endOf(task)).toBe('completed');
    const records = await task.attempts();
    const first = (id: string) => records.find(({ subtask }) => subtask === id);
    expect(first('auth')).toMatchObject({ type: 'auth', category: 'never-retry' });
    expect(first('limited')).toMatchObject({ type: 'rate-limited', category: 'transient' });
    expect(first('mentions')).toMatchObject({ type: 'tool-failed', category: 'quality' });
    // No retry policy sees a returned contract: what passes by itself is waited for, like a sick machine.
    for (const id of ['sick', 'busy']) {
      expect(first(id)).toMatchObject({ attempt: 1, outcome: 'passed', waits: [{ ms: 5_000 }] });
    }
  });

  test('trouble that passes is absorbed by the retry policy of the rung: the same attempt and key', async () => {
    const trouble = (): never => {
      throw new Error('busy');
    };
    answers = { work: [trouble, trouble] };
    const task = await rig.start(planOf([{ id: 'work' }]));
    expect(await endOf(task)).toBe('completed');
    expect(ofTask(task.id).map(({ attempt, idempotencyKey }) => `${attempt} ${idempotencyKey}`)).toEqual(
      Array.from({ length: 3 }, () => `1 ${task.id}/work/1`),
    );
    expect(await task.attempts()).toHaveLength(1);
  });

  test('a time limit that passes is a timeout, and the next attempt has a longer one', async () => {
    const late = () => new Promise((resolve) => setTimeout(resolve, 3_000));
    answers = { work: [late] };
    const task = await rig.start(planOf([{ id: 'work', executor: { ...executor, timeout: '1s' } }]));
    expect(await endOf(task)).toBe('completed');
    expect(await task.attempts()).toMatchObject([
      { type: 'timeout', category: 'quality', summary: 'It did not finish within 1 s.' },
      { outcome: 'passed' },
    ]);
  });

  test('its deliverables and verify commands are checked in the workspace', async () => {
    answers = {};
    const task = await rig.start(
      planOf([{ id: 'work', deliverables: ['missing.txt'], ladder: [{ tier: 'assigned' }] }]),
    );
    expect(await endOf(task)).toBe('failed');
    expect((await task.attempts())[0]).toMatchObject({ type: 'verification-failed', verdict: 'fail' });
  });
});
