import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import { activityFailed, crashedTooOften, transientSpent } from '../domain/failure/classify.ts';
import type { Failure } from '../domain/model/failure.ts';

/** What the activity told of the last of several tries that failed for a time. */
export interface LastTry {
  type?: unknown;
  reruns?: number;
  outputRef?: string;
}

/** An activity that failed for good: crashes that spent the policy, trouble that did not pass, or the user's own code. */
export function explain(error: unknown): { failure: Failure; lastTry?: LastTry } {
  if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  if (cause instanceof TimeoutFailure) return { failure: crashedTooOften(cause.message) };
  if (!(cause instanceof ApplicationFailure)) {
    return { failure: activityFailed(cause?.message ?? error.message, undefined) };
  }
  if (cause.type !== 'transient') return { failure: activityFailed(cause.message, cause.type ?? undefined) };
  const lastTry = readLastTry(cause.details?.[0]);
  return { failure: transientSpent(cause.message, lastTry.type), lastTry };
}

/** From the details of a `transient` failure: they come from outside, so nothing about them is certain. */
function readLastTry(details: unknown): LastTry {
  if (typeof details !== 'object' || details === null) return {};
  const { type, reruns, output } = details as Record<string, unknown>;
  const sha256 = typeof output === 'object' && output !== null && 'sha256' in output ? output.sha256 : undefined;
  return {
    type,
    ...(typeof reruns === 'number' && Number.isInteger(reruns) && reruns >= 0 ? { reruns } : {}),
    ...(typeof sha256 === 'string' ? { outputRef: sha256 } : {}),
  };
}
