import { extname } from 'node:path';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { ThreadKind } from '../../threads/idle-threads.ts';
import { createJobThread } from '../../threads/job-thread.ts';
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

/** The same file runs as TypeScript in a clone and as JavaScript in an installed package. */
export const inspectThread: ThreadKind = {
  script: new URL(`./inspect-thread${extname(import.meta.url)}`, import.meta.url),
  heap: activityLimits.inspectMemory,
};

/** A thread is taken by the first job, and another after one that had to be stopped. */
export function createTextInspector(timeout: number = activityLimits.inspectTimeout): TextInspector {
  const thread = createJobThread<InspectJob, Inspected>(inspectThread, { timeout });
  return {
    inspect: async (job) => {
      const result = await thread.run(job);
      switch (result.end) {
        case 'answered':
          return result.answer;
        case 'timeout':
        case 'failed':
          return result;
        case 'too-large':
          return { end: 'failed', reason: 'it took too much memory' };
      }
    },
    close: thread.close,
  };
}
