import { ApplicationFailure } from '@temporalio/activity';

import { classify } from '../../domain/failure/classify.ts';
import { hasFailed, saidBy } from '../../domain/failure/describe-exit.ts';
import { limits } from '../../domain/limits.ts';
import { clipStart } from '../../domain/text/text.ts';
import type { Execution } from '../../domain/model/attempt.ts';
import { parseRetryAfter } from './retry-after.ts';

/** Trouble that is expected to pass: Temporal's retry policy repeats the same attempt. */
export function transientFailure(
  message: string,
  more: { retryAfter?: number; details?: unknown } = {},
): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'transient',
    message: clipStart(message, limits.failureDetails),
    ...(more.retryAfter === undefined ? {} : { nextRetryDelay: more.retryAfter }),
    ...(more.details === undefined ? {} : { details: [more.details] }),
  });
}

/** What to throw for a program that failed in a way that passes by itself, by its exit code or by its words. */
export function asTransient(execution: Execution): ApplicationFailure | undefined {
  if (!hasFailed(execution)) return undefined;
  const { type, category } = classify({ execution, timeout: 0 });
  if (category !== 'transient') return undefined;
  const { stderrTail, stdoutTail, exitCode, durationMs, reruns, output, contract } = execution;
  const said = saidBy(execution) || contract?.notes || 'The program asked to be run again later.';
  const retryAfter = parseRetryAfter(`${stdoutTail}\n${stderrTail}\n${contract?.notes ?? ''}`, Date.now());
  return transientFailure(said, {
    ...(retryAfter === undefined ? {} : { retryAfter }),
    details: { type, exitCode, durationMs, reruns, output },
  });
}
