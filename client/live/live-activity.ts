import type { WorkflowExecutionDescription } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { parseActivityId } from '../../domain/names/names.ts';
import { findWorkerWaits, pendingIn } from '../temporal/worker-waits.ts';

/**
 * The newest line that a running attempt printed.
 *
 * @example
 * ```ts
 * for (const { subtask, line } of await task.activity()) console.log(`${subtask}: ${line}`);
 * ```
 */
export interface LiveActivity {
  subtask: string;
  attempt: number;
  line: string;
}

/** The newest line of each running attempt, from its heartbeats; for one that no worker runs, the worker it waits for. */
export function listActivity(description: WorkflowExecutionDescription, taskQueue: string): LiveActivity[] {
  const pending = pendingIn(description);
  const waits = findWorkerWaits(pending, { taskQueue, host: null, now: Date.now() }).flatMap(
    ({ subtask, attempt, worker }) =>
      subtask === undefined ? [] : [{ subtask, attempt: attempt ?? 1, line: `waits for ${worker}` }],
  );
  const running = pending.flatMap(({ activityId, heartbeatDetails }) => {
    const call = parseActivityId(activityId);
    const payload = heartbeatDetails?.payloads?.[0];
    if (call?.verb !== 'execute' || payload === undefined) return [];
    const details = defaultPayloadConverter.fromPayload<{ line?: string } | undefined>(payload);
    return [{ subtask: call.subtask, attempt: call.attempt, line: details?.line ?? '' }];
  });
  return [...waits, ...running.filter(({ subtask }) => !waits.some((wait) => wait.subtask === subtask))];
}
