import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTime } from '../cpu-time.ts';
import { heddlePlan } from '../plans.ts';
import type { Rig } from '../rig.ts';
import type { ApiFigures } from './api-process.ts';
import { type ReadEvents, readEvents } from './event-reader.ts';

/** One task with so many readers. */
export interface Watched {
  readers: number;
  round: number;
  /** From the start of the task to its result, as its client sees it. */
  ms: number;
  /** Calls of the API to the server. */
  calls: number;
  /** Milliseconds of CPU of the API; undefined where the system does not say. */
  apiCpu: number | undefined;
  lags: number[];
  /** Bytes in use after a collection, once a second while the readers were connected. */
  heaps: number[];
  isGapless: boolean;
}

/** The API for the time of one measurement: it starts fresh, so nothing of an earlier one is in its memory. */
class ApiProcess {
  readonly #child: ChildProcess;
  readonly origin: string;

  private constructor(child: ChildProcess, origin: string) {
    this.#child = child;
    this.origin = origin;
  }

  static async start(address: string): Promise<ApiProcess> {
    const child = fork(join(import.meta.dirname, 'api-process.ts'), [address], {
      execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
    });
    const [origin] = (await once(child, 'message')) as [string];
    return new ApiProcess(child, origin);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async look(): Promise<ApiFigures> {
    const answer = once(this.#child, 'message') as Promise<[ApiFigures]>;
    this.#child.send('look');
    return (await answer)[0];
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** Runs a chain of subtasks that do nothing while so many readers follow its events. */
export async function measureWatched(
  rig: Rig,
  { readers, round, count }: { readers: number; round: number; count: number },
): Promise<Watched> {
  const api = await ApiProcess.start(rig.address);
  try {
    const id = `live-${readers}-${round}-${count}`;
    const task = rig.client.task(id);
    const before = { ...(await api.look()), cpu: cpuTime(api.pid) };
    const started = performance.now();
    await rig.client.start(heddlePlan('chain', 'noop', count, rig.place.workspace), { id });
    const reading = Array.from({ length: readers }, (_, n) =>
      readEvents({ origin: api.origin, path: `/tasks/${id}/stream`, token: `reader-${n}` }),
    );
    const heaps: number[] = [];
    const stop = new AbortController();
    const sampling = readers === 0 ? undefined : sampleHeap(api, heaps, stop.signal);
    await task.result();
    const ms = performance.now() - started;
    stop.abort();
    const read: ReadEvents[] = await Promise.all(reading);
    await sampling;
    const after = { ...(await api.look()), cpu: cpuTime(api.pid) };
    return {
      ...{ readers, round, ms, heaps },
      calls: after.calls - before.calls,
      apiCpu: after.cpu === undefined || before.cpu === undefined ? undefined : after.cpu - before.cpu,
      lags: read.flatMap(({ lags }) => lags),
      isGapless: read.every(({ isGapless, last }) => isGapless && last === read[0]?.last),
    };
  } finally {
    await api.stop();
  }
}

async function sampleHeap(api: ApiProcess, heaps: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(1_000, undefined, { signal }).catch(() => undefined);
    heaps.push((await api.look()).heapBytes);
  }
}
