import { parentPort } from 'node:worker_threads';
import { extractHere } from './extract-here.ts';
import type { ExtractJob } from './common/extraction.ts';

// The body of the thread that `extract.ts` starts: documents in, texts out, one at a time.
parentPort?.on('message', (job: ExtractJob) => {
  void extractHere(job).then((result) => parentPort?.postMessage(result));
});
// A library may leave a promise behind that fails when nobody waits for it: that does not end the next document.
process.on('unhandledRejection', () => undefined);
parentPort?.postMessage('ready');
