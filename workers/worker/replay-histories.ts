import { Runtime, Worker, type ReplayResult } from '@temporalio/worker';
import { resolve } from 'node:path';
import pino from 'pino';
import type { RecordedHistory, Replayed } from '../../client/ports/service.ts';
import { HeddleError } from '../../domain/errors/heddle-error.ts';
import { installRuntime } from '../telemetry/logger.ts';
import { prepareCodec } from './prepare-codec.ts';

/**
 * Replays histories against the workflow code of this program, or against a bundle of another build: whether tasks that are open could go on
 * with it. No server is needed. What changed only in the arguments of an activity is not seen.
 */
export async function* replayHistories(
  histories: AsyncIterable<RecordedHistory>,
  options: { cacheFolder: string; bundle?: string; codecKeys?: string | undefined },
): AsyncIterable<Replayed> {
  // Each mismatch is told by its error; the SDK's own lines would say it again.
  installRuntime(pino({ level: 'silent' }));
  const codec = prepareCodec(options.codecKeys);
  const bundle =
    options.bundle === undefined ? await codec.bundle(options.cacheFolder) : { codePath: resolve(options.bundle) };
  const names: string[] = [];
  async function* named() {
    for await (const { name, workflowId, history } of histories) {
      names.push(name);
      yield { workflowId, history };
    }
  }
  let replayed = 0;
  // One after the other, in the order that they are given.
  const results = Worker.runReplayHistories(
    { workflowBundle: bundle, ...(codec.worker && { dataConverter: codec.worker }) },
    named(),
  );
  for await (const { workflowId, error } of options.bundle === undefined
    ? results
    : readable(results, options.bundle)) {
    const name = names[replayed] ?? workflowId;
    replayed += 1;
    yield { name, workflowId, problem: error === undefined ? null : firstLine(error) };
  }
}

/** The SDK's sentence says which event does not fit; the rest of it is a trace of its own code. */
function firstLine(error: Error): string {
  return error.message.split('\n')[0] ?? error.message;
}

/** A file that is no bundle ends before there is a worker: nobody else would end the runtime, and the process would stay. */
async function* readable(results: AsyncIterable<ReplayResult>, bundle: string): AsyncIterable<ReplayResult> {
  try {
    yield* results;
  } catch (error) {
    if (error instanceof HeddleError || !(error instanceof Error)) throw error;
    await Runtime.instance().shutdown();
    throw new HeddleError({
      code: 'REPLAY_FILE_INVALID',
      message: `${bundle} is not a bundle of workflows: ${firstLine(error)}`,
      where: '--bundle',
      hint: 'Give the `workflow-bundle.js` of a build.',
    });
  }
}
