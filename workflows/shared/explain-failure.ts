import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { Lost } from '../../domain/attempt/take-outcome.ts';
import { activityFailed, crashedTooOften, transientSpent } from '../../domain/failure/classify.ts';
import type { LastTry } from '../../domain/types/outcome.ts';

/** An activity that failed for good: crashes that spent the policy, trouble that did not pass, or the user's own code. */
export function explain(error: unknown): Lost {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (cause instanceof TimeoutFailure) return { failure: crashedTooOften(cause.message) };
  if (!(cause instanceof ApplicationFailure)) {
    return { failure: activityFailed(cause?.message ?? error.message, undefined) };
  }
  if (cause.type !== 'transient') return { failure: activityFailed(cause.message, cause.type ?? undefined) };
  const lastTry = cause.details?.[0] as LastTry | undefined;
  if (lastTry === undefined) return { failure: transientSpent(cause.message) };
  return { failure: transientSpent(cause.message, lastTry.failure), lastTry };
}
