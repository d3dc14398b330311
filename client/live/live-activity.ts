import type { WorkflowExecutionDescription } from '@temporalio/client';
import { parseActivityId } from '../../domain/names/names.ts';
import { formatRetry } from '../../domain/events/sentence.ts';
import { decodeFailureMessage, decodePayload, type Decoding } from '../codec/decode-payload.ts';
import { findWorkerWaits, pendingIn, readAhead, type PendingActivity } from '../temporal/worker-waits.ts';

/**
 * The newest line that a running attempt printed, or what the model that plans is asked just now.
 *
 * @example
 * ```ts
 * for (const { subtask, line } of await task.activity()) console.log(`${subtask ?? 'plan'}: ${line}`);
 * ```
 */
export interface LiveActivity {
  /** Null: the model that plans. */
  subtask: string | null;
  attempt: number;
  line: string;
}

/** The newest line of each running attempt, from its heartbeats; for one that no worker runs, the worker it waits for. */
export async function listActivity(
  description: WorkflowExecutionDescription,
  { taskQueue, decoding }: { taskQueue: string; decoding: Decoding },
): Promise<LiveActivity[]> {
  const pending = pendingIn(description);
  const waits = findWorkerWaits(pending, { taskQueue, host: null, now: Date.now() }).flatMap(
    ({ subtask, attempt, worker }) =>
      subtask === undefined ? [] : [{ subtask, attempt: attempt ?? 1, line: `waits for ${worker}` }],
  );
  const running = await Promise.all(pending.map((activity) => readActivity(activity, decoding)));
  return [...waits, ...running.flat().filter(({ subtask }) => !waits.some((wait) => wait.subtask === subtask))];
}

async function readActivity(activity: PendingActivity, decoding: Decoding): Promise<LiveActivity[]> {
  const about = findSubject(activity);
  if (about === undefined) return [];
  const retry = await readRetry(activity, decoding, Date.now());
  if (retry !== undefined) return [{ ...about, line: retry }];
  const payload = activity.heartbeatDetails?.payloads?.[0];
  if (payload === undefined) return [];
  const details = await decodePayload<{ line?: string } | undefined>(decoding, payload);
  return [{ ...about, line: details?.line ?? '' }];
}

/** Activities whose progress people see: they run programs, or ask models. */
const shownVerbs: readonly string[] = ['execute', 'judge'];

function findSubject({ activityId, activityType }: PendingActivity): Omit<LiveActivity, 'line'> | undefined {
  if (activityType?.name === 'planTask') return { subtask: null, attempt: 1 };
  const call = parseActivityId(activityId);
  if (call === undefined || !shownVerbs.includes(call.verb)) return undefined;
  return { subtask: call.subtask, attempt: call.attempt };
}

/** An activity that failed in a way that passes waits for its next activity try; the server knows until when. */
async function readRetry(
  { nextAttemptScheduleTime, lastFailure }: PendingActivity,
  decoding: Decoding,
  now: number,
): Promise<string | undefined> {
  const at = readAhead(nextAttemptScheduleTime, now);
  if (at === undefined) return undefined;
  return formatRetry(at - now, (await decodeFailureMessage(decoding, lastFailure)) ?? 'The worker stopped');
}
