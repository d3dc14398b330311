import { parentPort } from 'node:worker_threads';
import { findMatches } from './find-matches.ts';
import { findSyntaxProblems } from './find-syntax-problems.ts';
import type { Inspected, InspectJob } from './text-inspector.ts';

// The body of the thread that `text-inspector.ts` starts: jobs in, findings out, one at a time.
parentPort?.on('message', (job: InspectJob) => {
  void inspect(job).then((result) => parentPort?.postMessage(result));
});
parentPort?.postMessage('ready');

async function inspect(job: InspectJob): Promise<Inspected> {
  try {
    if (job.kind === 'pattern') return { end: 'done', findings: findMatches(job.text, job.pattern, job.most) };
    return { end: 'done', findings: await findSyntaxProblems(job.text, job.language) };
  } catch (error) {
    return { end: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
