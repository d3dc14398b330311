import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { activityLimits } from '../../limits/activity-limits.ts';

interface IdleThread {
  thread: Worker;
  timer: NodeJS.Timeout;
}

/** Threads that wait for the next verification: starting one costs more than most files take to parse. */
const idle: IdleThread[] = [];

/** An idle thread that is ready for a job, if there is one. */
export function takeIdleThread(): Worker | undefined {
  const waiting = idle.pop();
  if (waiting === undefined) return undefined;
  clearTimeout(waiting.timer);
  waiting.thread.ref();
  return waiting.thread;
}

/** A thread that did its job waits for another, without keeping the process alive; it ends when none comes. */
export async function giveIdleThread(thread: Worker): Promise<void> {
  if (idle.length >= activityLimits.inspectIdleThreads) {
    await thread.terminate();
    return;
  }
  thread.unref();
  const timer = setTimeout(() => void thread.terminate(), activityLimits.inspectIdle).unref();
  idle.push({ thread, timer });
}

/** The same file runs as TypeScript in a clone and as JavaScript in an installed package. It says `ready` when it is. */
export function startThread(): Worker {
  const thread = new Worker(new URL(`./inspect-thread${extname(import.meta.url)}`, import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: activityLimits.inspectMemory },
  });
  thread.once('exit', () => {
    const index = idle.findIndex((waiting) => waiting.thread === thread);
    if (index !== -1) idle.splice(index, 1);
  });
  // A dying thread may complain when nobody waits for it any more; that must not end the worker.
  return thread.on('error', () => undefined);
}
