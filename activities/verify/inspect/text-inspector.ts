import type { Worker } from 'node:worker_threads';
import { activityLimits } from '../../limits/activity-limits.ts';
import { giveIdleThread, startThread, takeIdleThread } from './inspect-threads.ts';
import type { Language } from './syntax-language.ts';

export type InspectJob =
  | { kind: 'pattern'; text: string; pattern: string; most: number }
  | { kind: 'syntax'; text: string; language: Language };

export type Inspected =
  | { end: 'done'; findings: string[] }
  /** The time limit ended it. */
  | { end: 'timeout' }
  /** Out of memory, or a pattern that is none. */
  | { end: 'failed'; reason: string };

/** Runs parsers and patterns of strangers where they can be stopped: the worker's own thread must go on beating. */
export interface TextInspector {
  /** One job at a time. */
  inspect: (job: InspectJob) => Promise<Inspected>;
  /** Ends a job that runs, as failed. */
  close: () => Promise<void>;
}

/** A thread is taken by the first job, and another after one that had to be stopped. */
export function createTextInspector(timeout: number = activityLimits.inspectTimeout): TextInspector {
  let thread: Worker | undefined;
  let busy = false;
  const stop = async (): Promise<void> => {
    const stopped = thread;
    thread = undefined;
    await stopped?.terminate();
  };
  return {
    inspect: async (job) => {
      busy = true;
      let mine = (thread ??= takeIdleThread());
      if (mine === undefined) {
        mine = thread = startThread();
        const started = await waitForResult(mine, activityLimits.inspectStartTimeout);
        if (started.end !== 'done') {
          await stop();
          return { end: 'failed', reason: 'the thread for parsers and patterns did not start' };
        }
      }
      mine.postMessage(job);
      const result = await waitForResult(mine, timeout);
      if (result.end !== 'done') await stop();
      busy = false;
      return result;
    },
    close: async () => {
      if (thread === undefined || busy) return stop();
      const rested = thread;
      thread = undefined;
      await giveIdleThread(rested);
    },
  };
}

function waitForResult(thread: Worker, timeout: number): Promise<Inspected> {
  return new Promise((resolve) => {
    const settle = (result: Inspected): void => {
      clearTimeout(timer);
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve(result);
    };
    const onMessage = (message: Inspected | 'ready'): void => {
      settle(message === 'ready' ? { end: 'done', findings: [] } : message);
    };
    const onError = (error: unknown): void => {
      settle({ end: 'failed', reason: error instanceof Error ? error.message : String(error) });
    };
    const onExit = (): void => settle({ end: 'failed', reason: 'the thread for parsers and patterns ended' });
    const timer = setTimeout(() => settle({ end: 'timeout' }), timeout);
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}
