// Many readers of one task: each gets every event once over cuts, the task is asked as for one, and the server keeps nothing of what it sent.
// HEDDLE_LIVE_READERS and HEDDLE_LIVE_SECONDS make it large: 200 readers, one minute.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readEvents } from '../../../../bench/live/event-reader.ts';
import { useApi } from '../../../support/api/api-rig.ts';
import { connectCounted } from '../../../support/place/counted-client.ts';
import { endOf, shellPlan, useRig } from '../../../support/rig.ts';

const rig = useRig();
const api = useApi(rig);

const readers = Number(process.env['HEDDLE_LIVE_READERS'] ?? 24);
const seconds = Number(process.env['HEDDLE_LIVE_SECONDS'] ?? 4);
/** Cuts a second of all readers together stay below what one name may ask. */
const cutEvery = Math.max(1_500, readers * 50);

/** Milliseconds between two collections of all memory: each stops the process for a fifth of a second, which is part of no reader's lag. */
const collectEvery = seconds < 30 ? 1_000 : 5_000;

/** Bytes that are in use after a collection. */
function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

const shareOf = (values: readonly number[]): { p50: number; p95: number } => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
};

/** Milliseconds between the first reader who has an event and the last: what it costs that there are many. */
function listSpreads(readings: readonly number[][]): number[] {
  const [first = []] = readings;
  return first.map((_, id) => {
    const times = readings.map((arrivals) => arrivals[id] ?? 0);
    return Math.max(...times) - Math.min(...times);
  });
}

test(
  'many readers get each event once over cuts, for the calls of one, and leave nothing in memory',
  async () => {
    const [one, many] = [
      await connectCounted(rig.address, { taskQueue: rig.taskQueue }),
      await connectCounted(rig.address, { taskQueue: rig.taskQueue }),
    ];
    const uses = { requests: 0, looks: 0 };
    const { identities } = api.parts;
    api.parts.identities = {
      ...identities,
      bearer: (token, look) => {
        uses[look?.isUse === false ? 'looks' : 'requests'] += 1;
        return identities.bearer(token);
      },
    };
    const endpoint = await api.parts.endpoint();
    api.parts.endpoint = () => Promise.resolve({ ...endpoint, client: many.client });
    const steps = Array.from({ length: seconds * 3 }, (_, n) => `s${n + 1}`);
    const sh = 'sleep 0.25; echo done';
    const task = await rig.start(
      shellPlan(Object.fromEntries(steps.map((id, n) => [id, { sh, dependsOn: n === 0 ? [] : [`s${n}`] }])), {
        workspace: rig.workspace(),
      }),
    );
    const alone = (async () => {
      for await (const news of one.client.feed(task.id).read({ status: true, activity: true })) void news;
    })();
    const reading = Array.from({ length: readers }, (_, n) =>
      readEvents({
        ...{ origin: api.origin, path: `/tasks/${task.id}/stream`, token: `hdl_viewer-${Math.floor(n / 15)}` },
        ...(n % 4 === 0 ? {} : { cutEvery }),
      }),
    );
    const heaps: number[] = [];
    const stop = new AbortController();
    const sampling = (async () => {
      while (!stop.signal.aborted) {
        await sleep(collectEvery, undefined, { signal: stop.signal }).catch(() => undefined);
        heaps.push(heapAfterCollection());
      }
    })();
    // A slow machine does less in that time.
    const timer = setTimeout(() => void task.cancel(), seconds * 1_500);
    expect(await endOf(task)).toMatch(/^(?:completed|cancelled)$/);
    clearTimeout(timer);
    stop.abort();
    const all = await Promise.all(reading);
    await Promise.all([alone, sampling]);
    const { lastEventId } = await task.status();
    expect(all.map(({ last, isGapless }) => [last, isGapless])).toEqual(all.map(() => [lastEventId, true]));
    const connections = all.reduce((sum, each) => sum + each.connections, 0);
    expect(connections).toBeGreaterThan(readers);
    // A stream that stays open looks whether its token holds, which is no use of it.
    expect(uses.requests).toBeLessThanOrEqual(connections);
    expect(uses.looks).toBeGreaterThan(0);
    for (const method of ['QueryWorkflow', 'GetWorkflowExecutionHistory', 'DescribeWorkflowExecution']) {
      const [single = 0, shared = 0] = [one.calls.get(method), many.calls.get(method)];
      // Readers who connect again look at the task once a second, all together.
      expect(shared, method).toBeLessThan(single * 2 + seconds * 4 + 8);
    }
    const spread = shareOf(listSpreads(all.filter((_, n) => n % 4 === 0).map(({ arrivals }) => arrivals)));
    expect(spread.p95).toBeLessThan(500);
    if (seconds < 30) return;
    const lags = shareOf(all.flatMap((each) => each.lags));
    console.log({ readers, events: lastEventId, lags, spread });
    console.log({ heapMB: heaps.map((heap) => Math.round(heap / 1e5) / 10).join(' ') });
    // The first ten seconds warm up.
    expect(heaps.at(-1)).toBeLessThan((heaps[10_000 / collectEvery] ?? 0) + 10_000_000);
  },
  (seconds * 4 + 60) * 1_000,
);
