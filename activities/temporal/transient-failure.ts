import type { ApplicationFailure } from '@temporalio/activity';

import { buildMachineFailure } from '../../domain/failure/classify.ts';
import { readDetails } from '../../domain/failure/describe-exit.ts';
import type { Execution } from '../../domain/failure/execution.ts';
import { limits } from '../../domain/limits/domain-limits.ts';
import type { Failed, LastTry } from '../../domain/types/outcome.ts';
import { clipStart } from '../../domain/text/text.ts';
import { nothingUsed } from '../../domain/llm/usage.ts';
import { transient } from './failure.ts';
import { parseRetryAfter } from './retry-after.ts';

/** Trouble that is expected to pass: Temporal's retry policy repeats the same attempt. */
export function transientFailure(message: string, last: LastTry, retryAfter?: number): ApplicationFailure {
  return transient({
    type: 'transient',
    message: clipStart(message, limits.failureDetails),
    details: [last],
    retryAfter,
  });
}

/** Trouble of the machine in our own way, before or after a program: nothing was used in it. */
export function machineFailure(
  message: string,
  spent: Pick<LastTry, 'used' | 'reruns'> = { used: nothingUsed, reruns: 0 },
): ApplicationFailure {
  const { used, reruns } = spent;
  return transientFailure(message, { failure: buildMachineFailure(message), used, reruns });
}

/** Builds the failure to throw for a program that failed in a way that passes by itself; undefined for other failures. */
export function asTransient(execution: Execution, outcome: Failed): ApplicationFailure | undefined {
  if (outcome.failure.category !== 'transient') return undefined;
  const { stderrTail, stdoutTail, contract, cli } = execution;
  const message =
    cli?.error?.message || readDetails(execution) || contract?.notes || 'The program asked to be run again later.';
  const { failure, used, reruns, output } = outcome;
  const last = { failure, used, reruns, ...(output === undefined ? {} : { output }) };
  const texts = `${stdoutTail}\n${stderrTail}\n${contract?.notes ?? ''}`;
  return transientFailure(message, last, cli?.error?.retryAfterMs ?? parseRetryAfter(texts, Date.now()));
}
