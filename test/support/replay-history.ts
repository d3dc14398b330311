import type { HistoryAndWorkflowId } from '@temporalio/client';
import { type ReplayResult, Worker } from '@temporalio/worker';
import { inject } from 'vitest';
import './quiet-runtime.ts';

let results: AsyncIterator<ReplayResult> | undefined;
let given: HistoryAndWorkflowId;
let before: Promise<unknown> = Promise.resolve();

/** Asked for the next one whenever somebody asks for a result. */
function* histories(): Iterable<HistoryAndWorkflowId> {
  for (;;) yield given;
}

/**
 * Replays a history against the workflow code of this tree. One worker replays those of all tests of a process, one after the other: to
 * make a worker takes longer than most replays.
 */
export function replayHistory(workflowId: string, history: HistoryAndWorkflowId['history']): Promise<void> {
  const replayed = before.then(async () => {
    results ??= Worker.runReplayHistories({ workflowBundle: { codePath: inject('bundlePath') } }, histories());
    given = { workflowId, history };
    const result = await results.next();
    if (result.done === true) throw new Error('the worker that replays has ended');
    if (result.value.error !== undefined) throw result.value.error;
  });
  before = replayed.catch(() => undefined);
  return replayed;
}
