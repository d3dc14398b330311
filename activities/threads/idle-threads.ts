import { Worker } from 'node:worker_threads';
import { activityLimits } from '../limits/activity-limits.ts';

/** The body of a thread, and the most memory of its heap in MB: buffers are outside of the heap. */
export interface ThreadKind {
  script: URL;
  heap: number;
}

interface IdleThread {
  thread: Worker;
  timer: NodeJS.Timeout;
}

/** Threads that wait for the next job, by their script: starting one costs more than most files take to parse. */
const idleByScript = new Map<string, IdleThread[]>();

/** An idle thread that is ready for a job, if there is one. */
export function takeIdleThread({ script }: ThreadKind): Worker | undefined {
  const waiting = idleByScript.get(script.href)?.pop();
  if (waiting === undefined) return undefined;
  clearTimeout(waiting.timer);
  waiting.thread.ref();
  return waiting.thread;
}

/** A thread that did its job waits for another, without keeping the process alive; it ends when none comes. */
export async function giveIdleThread({ script }: ThreadKind, thread: Worker): Promise<void> {
  const idle = idleByScript.get(script.href) ?? [];
  idleByScript.set(script.href, idle);
  if (idle.length >= activityLimits.threads.idle) {
    await thread.terminate();
    return;
  }
  thread.unref();
  const timer = setTimeout(() => void thread.terminate(), activityLimits.threads.idleTime).unref();
  idle.push({ thread, timer });
}

/** Starts a thread, which posts `ready` when it can take a job. */
export function startThread({ script, heap }: ThreadKind): Worker {
  const thread = new Worker(script, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heap } });
  thread.once('exit', () => {
    const idle = idleByScript.get(script.href) ?? [];
    const index = idle.findIndex((waiting) => waiting.thread === thread);
    if (index !== -1) idle.splice(index, 1);
  });
  // A dying thread may complain when nobody waits for it any more; that must not end the worker.
  return thread.on('error', () => undefined);
}
