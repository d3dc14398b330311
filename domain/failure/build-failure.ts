import type { ErrorCode } from '../errors/error-codes.ts';
import { limits } from '../limits/domain-limits.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import type { Failure } from '../types/basic/failure.ts';
import { strategies } from './recovery-strategies.ts';
import { clip, clipStart, oneLine } from '../text/text.ts';
import { buildSignature, signatureOfFacts } from './signature.ts';

/** The one place where a failure is made: bounded, signed, with the words that its type has. */
export function buildFailure(
  type: FailureType,
  input: {
    summary: string;
    details?: string;
    signed?: string;
    /** What it is signed by as it is, where nothing in it differs between two occurrences. */
    facts?: readonly string[];
    cause?: string;
    fix?: string;
    /** Whether the one that failed, or whoever looked at its work, said what went wrong. */
    hasWords?: boolean;
    code?: ErrorCode | undefined;
  },
): Failure {
  const { summary, details = '' } = input;
  const strategy = strategies[type];
  return {
    type,
    category: strategy.category,
    signature:
      input.facts === undefined
        ? buildSignature(type, input.signed ?? (details === '' ? summary : `${summary}\n${details}`))
        : signatureOfFacts(type, input.facts),
    summary: clip(oneLine(summary), limits.summary),
    details: clipStart(details, limits.failureDetails),
    rootCause: input.cause ?? strategy.cause,
    suggestedFix: input.fix ?? strategy.emphasis,
    ...(input.hasWords === false ? { unspecific: true } : {}),
    ...(input.code === undefined ? {} : { code: input.code }),
  };
}
