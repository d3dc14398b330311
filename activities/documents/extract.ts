import { extname } from 'node:path';
import { formatBytes } from '../../domain/text/bytes.ts';
import { formatDuration } from '../../domain/text/duration.ts';
import { activityLimits } from '../limits/activity-limits.ts';
import type { ThreadKind } from '../threads/idle-threads.ts';
import { createJobThread, type JobEnd } from '../threads/job-thread.ts';
import type { Extracted, ExtractJob } from './common/extraction.ts';

const { atOnce, timeout, memory, heap } = activityLimits.documents;

/** The same file runs as TypeScript in a clone and as JavaScript in an installed package. */
const extractThread: ThreadKind = {
  script: new URL(`./extract-thread${extname(import.meta.url)}`, import.meta.url),
  heap,
};

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads the text of a file of any kind, of which strangers may have made every byte. It runs on a thread of its own, bounded in time, memory
 * and text, two at once in a worker; the worker's thread goes on meanwhile. Never rejects.
 *
 * A document is given as its bytes or as the path of a file of our own, such as an object of the store; a larger one than
 * `documentLimits.bytes` is the caller's to refuse. `kind-of.ts` has the kinds, `common/extraction.ts` the result. HTML becomes Markdown.
 */
export async function extract(job: ExtractJob, signal?: AbortSignal): Promise<Extracted> {
  await takeTurn();
  const thread = createJobThread<ExtractJob, Extracted>(extractThread, { timeout, memory });
  const stop = (): void => void thread.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    if (signal?.aborted === true) return { end: 'failed', reason: 'it was cancelled' };
    // A copy is moved to the thread: the bytes stay the caller's, and a large buffer around them stays here.
    const source = typeof job.source === 'string' ? job.source : new Uint8Array(job.source);
    const moved = typeof source === 'string' ? [] : [source.buffer];
    return explainEnd(await thread.run({ ...job, source }, moved));
  } finally {
    signal?.removeEventListener('abort', stop);
    await thread.close();
    giveTurn();
  }
}

function explainEnd(result: JobEnd<Extracted>): Extracted {
  switch (result.end) {
    case 'answered':
      return result.answer;
    case 'timeout':
      return { end: 'failed', reason: `reading it takes longer than ${formatDuration(timeout)}` };
    case 'too-large':
      return { end: 'failed', reason: `reading it needs more than ${formatBytes(memory)} of memory` };
    case 'failed':
      return { end: 'failed', reason: `its reader ended: ${result.reason}` };
  }
}

async function takeTurn(): Promise<void> {
  if (running < atOnce) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
}

/** The turn goes to the next that waits, else back. */
function giveTurn(): void {
  const next = waiting.shift();
  if (next === undefined) running -= 1;
  else next();
}
