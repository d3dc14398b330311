import type { Call } from '../../domain/conversation/turn.ts';
import { failureOf } from '../../domain/failure/build-failure.ts';
import type { Failure } from '../../domain/types/basic/failure.ts';
import { sayDuration } from '../../domain/text/duration.ts';

/* How an agent's attempt fails by itself. Signed without what is chance: how far it came, how long it had. */

export const tookTooLong = (timeout: number): Failure =>
  failureOf('timeout', {
    summary: `It did not finish within ${sayDuration(timeout)}.`,
    signed: 'timeout',
    hasWords: false,
  });

export const tooManyTurns = (most: number): Failure =>
  failureOf('timeout', {
    summary: `It did not finish within ${most} model calls.`,
    signed: 'iterations',
    hasWords: false,
  });

export const noReport = (): Failure =>
  failureOf('format-invalid', {
    summary: 'The model stopped without a report of how it ended, also after a reminder.',
    hasWords: false,
    fix: 'End by calling `finish` with the status and what was done.',
  });

export const malformed = (): Failure =>
  failureOf('format-invalid', {
    summary: 'The model sent replies that cannot be used, also after reminders.',
    hasWords: false,
    fix: 'Call the tools by their names, with complete arguments as their schemas say.',
  });

export const goesInCircles = (calls: readonly Call[]): Failure =>
  failureOf('tool-failed', {
    summary: `The model made the same calls three times in a row: ${calls.map(({ tool }) => tool).join(', ')}.`,
    signed: 'same-batch',
    hasWords: false,
    fix: 'Do not repeat calls whose results are known: use them, or take another way.',
  });

export const refused = (text: string): Failure =>
  failureOf('safety', { summary: 'The model refused to do this.', details: text, signed: 'refusal', hasWords: false });
