import type { Transferable, Worker } from 'node:worker_threads';
import { activityLimits } from '../limits/activity-limits.ts';
import { giveIdleThread, startThread, takeIdleThread, type ThreadKind } from './idle-threads.ts';
import { watchMemory } from './watch-memory.ts';

export interface JobLimits {
  /** Milliseconds of one job. */
  timeout: number;
  /** Bytes of heap and buffers together, watched while a job runs; without it only the heap is bounded. */
  memory?: number;
}

/** The end of a job: the thread's own answer, or why there is none. */
export type JobEnd<Answer> =
  | { end: 'answered'; answer: Answer }
  /** The time limit ended it. */
  | { end: 'timeout' }
  /** The memory watch ended it, at so many bytes. */
  | { end: 'too-large'; bytes: number }
  | { end: 'failed'; reason: string };

/** Runs what strangers wrote where it can be stopped: the worker's own thread must keep sending heartbeats. */
export interface JobThread<Job, Answer> {
  /** One job at a time. Never rejects. */
  run: (job: Job, transfer?: readonly Transferable[]) => Promise<JobEnd<Answer>>;
  /** Ends a job that runs, as failed. */
  close: () => Promise<void>;
}

/** A thread is taken by the first job, and another after one that had to be stopped. `kind.script` posts `ready`, then one answer to each job. */
export function createJobThread<Job, Answer>(kind: ThreadKind, limits: JobLimits): JobThread<Job, Answer> {
  let thread: Worker | undefined;
  let busy = false;
  const stop = async (): Promise<void> => {
    const stopped = thread;
    thread = undefined;
    await stopped?.terminate();
  };
  return {
    run: async (job, transfer = []) => {
      busy = true;
      let mine = (thread ??= takeIdleThread(kind));
      if (mine === undefined) {
        mine = thread = startThread(kind);
        const started = await waitForAnswer<'ready'>(mine, { timeout: activityLimits.threads.startTimeout });
        if (started.end !== 'answered') {
          await stop();
          return { end: 'failed', reason: 'the thread for parsers and patterns did not start' };
        }
      }
      mine.postMessage(job, transfer);
      const result = await waitForAnswer<Answer>(mine, limits);
      if (result.end !== 'answered') await stop();
      busy = false;
      return result;
    },
    close: async () => {
      if (thread === undefined || busy) return stop();
      const rested = thread;
      thread = undefined;
      await giveIdleThread(kind, rested);
    },
  };
}

function waitForAnswer<Answer>(thread: Worker, { timeout, memory }: JobLimits): Promise<JobEnd<Answer>> {
  return new Promise((resolve) => {
    const settle = (result: JobEnd<Answer>): void => {
      clearTimeout(timer);
      stopWatch?.();
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve(result);
    };
    const onMessage = (answer: Answer): void => settle({ end: 'answered', answer });
    const onError = (error: unknown): void => {
      settle({ end: 'failed', reason: error instanceof Error ? error.message : String(error) });
    };
    const onExit = (): void => settle({ end: 'failed', reason: 'the thread for parsers and patterns ended' });
    const timer = setTimeout(() => settle({ end: 'timeout' }), timeout);
    const stopWatch =
      memory === undefined ? undefined : watchMemory(thread, memory, (bytes) => settle({ end: 'too-large', bytes }));
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}
