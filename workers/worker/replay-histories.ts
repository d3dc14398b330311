import { Worker } from '@temporalio/worker';
import { resolve } from 'node:path';
import pino from 'pino';
import type { RecordedHistory, Replayed } from '../../client/ports/service.ts';
import { installRuntime } from '../telemetry/logger.ts';
import { workflowBundle } from './workflow-bundle.ts';

/**
 * Replays histories against the workflow code of this program, or against a bundle of another build: whether tasks that are open could go on
 * with it. No server is needed. What changed only in the arguments of an activity is not seen.
 */
export async function* replayHistories(
  histories: AsyncIterable<RecordedHistory>,
  options: { cacheFolder: string; bundle?: string },
): AsyncIterable<Replayed> {
  // Each mismatch is told by its error; the SDK's own lines would say it again.
  installRuntime(pino({ level: 'silent' }));
  const bundle =
    options.bundle === undefined ? await workflowBundle(options.cacheFolder) : { codePath: resolve(options.bundle) };
  const names: string[] = [];
  async function* named() {
    for await (const { name, workflowId, history } of histories) {
      names.push(name);
      yield { workflowId, history };
    }
  }
  let replayed = 0;
  // One after the other, in the order that they are given.
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, named())) {
    const name = names[replayed] ?? workflowId;
    replayed += 1;
    yield { name, workflowId, problem: error === undefined ? null : firstLine(error) };
  }
}

/** The SDK's sentence says which event does not fit; the rest of it is a trace of its own code. */
function firstLine(error: Error): string {
  return error.message.split('\n')[0] ?? error.message;
}
