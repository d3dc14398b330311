// Many followers of one task share what they ask, also where the task continues as new several times.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { TaskFeed, TaskHandle } from '../../../client/index.ts';
import { connectCounted } from '../../support/place/counted-client.ts';
import { useApi } from '../../support/api/api-rig.ts';
import { numbersOf, readStream, type SseFrame } from '../../support/api/read-stream.ts';
import { decisionOpened, endOf, eventOf, shellPlan, useRig } from '../../support/rig.ts';

/** Low enough that a few stages fill a run. */
const rig = useRig({ server: { dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '18' } } });

const api = useApi(rig);

async function countRuns(task: TaskHandle): Promise<number> {
  let count = 0;
  for (let runId: string | undefined = undefined; ;) {
    const { events } = await rig.temporal.workflow.getHandle(task.workflowId, runId).fetchHistory();
    count += 1;
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
    if (runId === undefined) return count;
  }
}

async function collect(feed: TaskFeed): Promise<number[]> {
  const numbers: number[] = [];
  for await (const news of feed.read({ status: true }))
    if (news.kind === 'event') numbers.push(news.event.id);
    // A reader that is slow now and then must not miss anything either.
    else await sleep(20);
  return numbers;
}

test('40 followers of a task over several runs see each event once and ask as much as one', async () => {
  const asks = '[ $HEDDLE_ATTEMPT = 1 ] && { echo "not allowed" >&2; exit 77; }; echo done';
  const task = await rig.start(shellPlan({ gate: { sh: asks } }, { workspace: rig.workspace() }));
  const connect = () => connectCounted(rig.address, { taskQueue: rig.taskQueue });
  const [one, many] = [await connect(), await connect()];
  const alone = collect(one.client.feed(task.id));
  const others = Array.from({ length: 40 }, () => collect(many.client.feed(task.id)));
  await eventOf(task, decisionOpened('gate-1'));
  // A task continues as new while it only waits; each message adds to its history.
  for (let runs = 1; runs < 4; runs = await countRuns(task)) {
    await task.pause({ reason: 'lunch' });
    await task.resume();
    await sleep(100);
  }
  await task.decide({ decisionId: 'gate-1', option: 'retry' });
  expect(await endOf(task)).toBe('completed');
  const { lastEventId } = await task.status();
  const all = Array.from({ length: lastEventId }, (_, n) => n + 1);
  expect(await alone).toEqual(all);
  for (const numbers of await Promise.all(others)) expect(numbers).toEqual(all);
  for (const method of ['QueryWorkflow', 'GetWorkflowExecutionHistory', 'DescribeWorkflowExecution']) {
    const [single = 0, shared = 0] = [one.calls.get(method), many.calls.get(method)];
    expect(shared, method).toBeLessThan(single * 2 + 4);
  }
});

/** Reads a stream to its end as a browser does: after a cut it connects again, behind the last number that it got. */
async function readToEnd(origin: () => string, path: string): Promise<SseFrame[]> {
  const frames: SseFrame[] = [];
  while (frames.at(-1)?.event !== 'end') {
    const lastEventId = numbersOf(frames).at(-1) ?? 0;
    try {
      for await (const frame of readStream(origin(), path, { lastEventId })) frames.push(frame);
    } catch {
      await sleep(100);
    }
  }
  return frames;
}

test('a stream from 0 misses nothing over several runs, a new worker and a new API', async () => {
  const asks = '[ $HEDDLE_ATTEMPT = 1 ] && { echo "not allowed" >&2; exit 77; }; echo done';
  const task = await rig.start(shellPlan({ gate: { sh: asks } }, { workspace: rig.workspace() }));
  const path = `/tasks/${task.id}/stream`;
  const reading = readToEnd(() => api.origin, path);
  await eventOf(task, decisionOpened('gate-1'));
  for (let runs = 1; runs < 4; runs = await countRuns(task)) {
    await task.pause({ reason: 'lunch' });
    await task.resume();
    await sleep(100);
    if (runs === 2) await Promise.all([rig.restartWorker(), api.restart()]);
  }
  await task.decide({ decisionId: 'gate-1', option: 'retry' });
  expect(await endOf(task)).toBe('completed');
  const all = Array.from({ length: (await task.status()).lastEventId }, (_, n) => n + 1);
  expect(numbersOf(await reading)).toEqual(all);
});
