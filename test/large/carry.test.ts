// A task that knows more than fits into one value of the history goes on in a new run through the store, and loses nothing.
import { defaultPayloadConverter } from '@temporalio/common';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { HeddleClient, HeddleError, type TaskHandle } from '../../client/index.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import { useOwnActivity, type OwnInput } from '../support/own-activity.ts';
import { currentDetailsOf, decisionOpened, endOf, eventOf, shellPlan, useRig } from '../support/rig.ts';
import { until } from '../support/witness.ts';

const rig = useRig({ server: { dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '30' } } });

/** Behaviour of the activity for a subtask, by the beginning of its id. */
const acts: Record<string, (input: OwnInput) => unknown> = {
  // In other words each time, so that the ladder gives it all attempts.
  fails: ({ attempt }) => ({
    status: 'failed',
    notes: `part ${'abcdefgh'.charAt(attempt)}z is not there. `.repeat(150),
  }),
  holds: async ({ workspace }) => {
    for (let waited = 0; waited < 120_000 && !existsSync(join(workspace, 'go')); waited += 100) await sleep(100);
    return { status: 'success', notes: 'done' };
  },
  breaks: () => {
    takeAway();
    return { status: 'blocked', notes: 'a person must look' };
  },
};
const executor = useOwnActivity(rig, (input) => {
  const act = input.attempt > 1 && input.subtaskId === 'breaks' ? undefined : acts[input.subtaskId.replace(/\d+$/, '')];
  return act?.(input) ?? { status: 'success', notes: 'done' };
});

/** A file where the folder of the store was: whoever writes there fails, also as root. */
function takeAway(): void {
  renameSync(rig.storeFolder, `${rig.storeFolder}-away`);
  writeFileSync(rig.storeFolder, '');
}

function bringBack(): void {
  if (!existsSync(`${rig.storeFolder}-away`)) return;
  rmSync(rig.storeFolder);
  renameSync(`${rig.storeFolder}-away`, rig.storeFolder);
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const runIdOf = async ({ workflowId }: TaskHandle): Promise<string> =>
  (await rig.temporal.workflow.getHandle(workflowId).describe()).runId;
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

/** Looks rarely: each look is work of the busy worker, which may also be late with its answer. */
const untilAsked = (task: TaskHandle, questions: number): Promise<void> =>
  until(async () => {
    await sleep(1_000);
    const status = await task.status({ server: false }).catch((error: unknown) => {
      if (error instanceof HeddleError && error.code === 'NO_WORKER') return undefined;
      throw error;
    });
    return status !== undefined && status.decisions.length + (status.omitted?.decisions ?? 0) === questions;
  }, 150_000);

/** All pages of a query as the server gives them. */
async function pagesOf(task: TaskHandle, name: string, next: (page: { id: number }[], at: number) => object) {
  const handle = rig.temporal.workflow.getHandle(task.workflowId);
  const pages: { id: number }[][] = [];
  for (let at = 0; pages.length < 1_000;) {
    const page = await handle.query<{ id: number }[], [object]>(name, next(pages.at(-1) ?? [], at));
    if (page.length === 0) return pages;
    pages.push(page);
    at += page.length;
  }
  throw new Error(`${name} has no end`);
}

/** Input of the second run. */
async function carriedTo(task: TaskHandle): Promise<{ state: unknown; pages?: { refs: { bytes: number }[] } }> {
  const { events } = await rig.temporal.workflow.getHandle(task.workflowId).fetchHistory();
  const payload = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[1];
  if (!payload) throw new Error('the first run');
  expect(payload.data?.byteLength).toBeLessThan(limits.carriedBytes);
  return defaultPayloadConverter.fromPayload(payload);
}

describe('a state above what one value takes', () => {
  test('is paged in answers, goes on through the store, and status, decide and cancel work after it', async () => {
    const failing = Array.from({ length: 80 }, (_, index) => ({ id: `fails${index}`, description: 'fail' }));
    const workspace = rig.workspace();
    // With Temporal's own time limit of a workflow task: on a busy machine many failures at once take longer than the rig's.
    const stranger = new HeddleClient(rig.temporal, { taskQueue: rig.taskQueue });
    const { workflowId } = await stranger.start({
      ...{ goal: 'fail at length', workspace, executor, maxParallelSubtasks: 21, escalationPause: 1_000 },
      subtasks: [{ id: 'holds', description: 'hold' }, ...failing],
    });
    const task = rig.adopt(workflowId);
    await untilAsked(task, failing.length);

    const attempts = await pagesOf(task, 'attempts', (_, after) => ({ after }));
    const events = await pagesOf(task, 'events', (page) => ({ since: page.at(-1)?.id ?? 0 }));
    for (const page of [...attempts, ...events]) expect(bytesOf(page)).toBeLessThanOrEqual(limits.answerBytes);
    expect(attempts.length).toBeGreaterThan(1);
    const made = attempts.flat().length;

    const first = await runIdOf(task);
    writeFileSync(join(workspace, 'go'), '');
    await until(async () => (await runIdOf(task)) !== first, 60_000);
    // At once: the new run still reads its state, and must neither refuse nor lose what it is told meanwhile.
    await Promise.all([task.steer({ text: 'be brief' }), task.decide({ decisionId: 'fails0-1', option: 'skip' })]);
    const { state, pages } = await carriedTo(task);
    expect(state).toBeNull();
    expect(pages?.refs.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(limits.carriedBytes);

    const status = await task.status();
    expect(bytesOf(status)).toBeLessThanOrEqual(limits.answerBytes);
    expect(status.decisions.length + (status.omitted?.decisions ?? 0)).toBe(failing.length - 1);
    await task.decide({ decisionId: 'fails1-1', option: 'skip' });
    expect(await task.allAttempts()).toMatchObject({ missing: [] });
    expect(await task.attempts()).toHaveLength(made);
    const { lastEventId } = await task.status();
    const told = await task.events();
    expect(told.map(({ id }) => id)).toEqual(upTo(lastEventId));
    expect(told.filter(({ type }) => type === 'task.steered')).toHaveLength(1);
    expect((await stranger.task(task.id).allEvents()).missing).not.toEqual([]);
    await task.cancel();
    expect(await endOf(task)).toBe('cancelled');
  }, 240_000);
});

describe('a store that takes nothing for a while', () => {
  test('is told in the current details; the task goes on as soon as it works again', async () => {
    const ids = Array.from({ length: 105 }, (_, index) => `s${index}`);
    const plan = shellPlan({}, { executor, maxParallelSubtasks: 50 });
    const subtasks = [
      ...ids.map((id) => ({ id, description: 'do nothing' })),
      { id: 'breaks', description: 'break', dependsOn: ids },
    ];
    const task = await rig.start({ ...plan, subtasks });
    try {
      await eventOf(task, decisionOpened('breaks-1'));
      const first = await runIdOf(task);
      const details = (): Promise<string> => currentDetailsOf(rig.temporal, task.workflowId);
      await until(async () => (await details()).includes('Trouble: older events cannot be moved to the store'), 40_000);
      expect(await runIdOf(task)).toBe(first);
      expect(await task.status()).toMatchObject({ state: 'waiting' });
      bringBack();
      await until(async () => (await runIdOf(task)) !== first, limits.carryRetry + 30_000);
      expect(await details()).not.toContain('Trouble');
      await task.decide({ decisionId: 'breaks-1', option: 'retry' });
      expect(await endOf(task)).toBe('completed');
      const { lastEventId } = await task.status();
      expect((await task.events()).map(({ id }) => id)).toEqual(upTo(lastEventId));
    } finally {
      bringBack();
    }
  }, 240_000);
});
