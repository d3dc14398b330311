import { Context, type Info } from '@temporalio/activity';

import { activityLimits } from '../limits/activity-limits.ts';

/**
 * The reason of a cancellation by Temporal. `lost`: it has given up this try alone, because the beats did not come, and makes another one;
 * or the workflow is gone.
 */
export function whyCancelled({
  cancellationDetails,
  cancellationSignal,
}: Context): 'cancelled' | 'handed-over' | 'lost' {
  const reason: unknown = cancellationSignal.reason;
  if (cancellationDetails?.workerShutdown === true || String(reason).includes('WORKER_SHUTDOWN')) return 'handed-over';
  if (cancellationDetails?.cancelRequested === true) return 'cancelled';
  return cancellationDetails?.notFound === true || cancellationDetails?.timedOut === true ? 'lost' : 'handed-over';
}

/** Somebody stopped the task, or this part of it: what is known by then is told, and no other try comes. */
export function isCancelled(): boolean {
  const context = Context.current();
  return context.cancellationSignal.aborted && whyCancelled(context) === 'cancelled';
}

/** Temporal's own policy, for when it does not send ours. */
const serverPolicy = { initialInterval: 1_000, backoffCoefficient: 2, maximumInterval: 100_000 };

/** Milliseconds in which the next try of the activity must have come, if there is one. */
export function nextTryWithin({ attempt, retryPolicy }: Pick<Info, 'attempt' | 'retryPolicy'>): number {
  const most = retryPolicy?.maximumAttempts ?? 0;
  if (most > 0 && attempt >= most) return 0;
  const first = inMilliseconds(retryPolicy?.initialInterval) ?? serverPolicy.initialInterval;
  const longest = inMilliseconds(retryPolicy?.maximumInterval) ?? serverPolicy.maximumInterval;
  const factor = retryPolicy?.backoffCoefficient ?? serverPolicy.backoffCoefficient;
  return Math.min(longest, first * factor ** (attempt - 1)) + activityLimits.joinMargin;
}

/** The server sends numbers; a text could only come from a test. */
const inMilliseconds = (duration: unknown): number | undefined => (typeof duration === 'number' ? duration : undefined);
