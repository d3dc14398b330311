import { ApplicationFailure } from '@temporalio/activity';

import { limits } from '../../domain/limits.ts';
import { clipStart, lastLines } from '../../domain/text.ts';
import type { Facts } from './describe-execution.ts';
import { parseRetryAfter } from './retry-after.ts';

/** Lines of output that say what the trouble is. */
const shownLines = 12;

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

/** The program exited with EX_TEMPFAIL. */
export function askedToRetry(facts: Facts, reruns: number): ApplicationFailure {
  const { stderrTail, stdoutTail, exitCode, durationMs, output } = facts;
  const said = lastLines(stderrTail, shownLines) || lastLines(stdoutTail, shownLines);
  const retryAfter = parseRetryAfter(`${stdoutTail}\n${stderrTail}`, Date.now());
  return transientFailure(said === '' ? 'The program asked to be run again later.' : said, {
    ...(retryAfter === undefined ? {} : { retryAfter }),
    details: { exitCode, durationMs, reruns, output },
  });
}
