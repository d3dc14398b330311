import type { CliError } from '../../../domain/types/basic/completion-contract.ts';
import type { Failure } from '../../../domain/types/basic/failure.ts';
import { activityLimits } from '../../limits/activity-limits.ts';

/**
 * Milliseconds until the limit that stopped an agent program is lifted, where it says when. A short wait is left to the retry policy; one
 * that is longer than it may wait, and every limit of a plan, is the workflow's: shown, and ended by a pause or a cancellation. After
 * too many of them the policy decides, and then a person.
 */
export function computePlanWait(
  error: CliError | undefined,
  { type }: Pick<Failure, 'type'>,
  { waited, now }: { waited: number; now: number },
): number | undefined {
  const { least, most, times } = activityLimits.planWait;
  if (type !== 'rate-limited' || error === undefined || waited >= times) return undefined;
  const { resetsAt, retryAfterMs = 0 } = error;
  if (resetsAt === undefined && retryAfterMs <= activityLimits.maxRetryAfter) return undefined;
  // A second above: the service's clock may be a little behind ours.
  const wait = resetsAt === undefined ? retryAfterMs : resetsAt - now + 1_000;
  return Math.ceil(Math.min(Math.max(wait, least), most));
}
