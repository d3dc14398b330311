import type { ToolCall } from '../../domain/conversation/turn.ts';
import { buildFailure } from '../../domain/failure/build-failure.ts';
import type { Failure } from '../../domain/types/basic/failure.ts';
import { formatDuration } from '../../domain/text/duration.ts';

/* How an agent's attempt fails by itself. Signed without what is chance: how far it came, how long it had. */

export const tookTooLong = (timeout: number): Failure =>
  buildFailure('timeout', {
    summary: `It did not finish within ${formatDuration(timeout)}.`,
    signed: 'timeout',
    hasExplanation: false,
  });

export const tooManyTurns = (most: number): Failure =>
  buildFailure('timeout', {
    summary: `It did not finish within ${most} model calls.`,
    signed: 'iterations',
    hasExplanation: false,
  });

export const noReport = (): Failure =>
  buildFailure('format-invalid', {
    summary: 'The model stopped without a report of how it ended, even after a reminder.',
    hasExplanation: false,
    fix: 'End by calling `finish` with the status and what was done.',
  });

export const malformed = (): Failure =>
  buildFailure('format-invalid', {
    summary: 'The model sent replies that cannot be used, even after reminders.',
    hasExplanation: false,
    fix: 'Call the tools by their names, with complete arguments as their schemas say.',
  });

export const goesInCircles = (calls: readonly ToolCall[]): Failure =>
  buildFailure('tool-failed', {
    summary: `The model made the same calls three times in a row: ${calls.map(({ tool }) => tool).join(', ')}.`,
    signed: 'same-batch',
    hasExplanation: false,
    fix: 'Do not repeat calls whose results are known: use them, or try a different approach.',
  });

export const refused = (text: string): Failure =>
  buildFailure('safety', {
    summary: 'The model refused to do this.',
    details: text,
    signed: 'refusal',
    hasExplanation: false,
  });
