import type { ErrorCode } from '../errors/error-codes.ts';
import { limits } from '../limits/domain-limits.ts';
import type { FailureType } from '../types/basic/failure-types.ts';
import type { Failure } from '../types/basic/failure.ts';
import { strategies } from './recovery-strategies.ts';
import { clip, clipStart, oneLine } from '../text/text.ts';
import { buildSignature, buildFactsSignature } from './signature.ts';

/** Builds every failure: bounded, with its signature and the texts of its type. */
export function buildFailure(
  type: FailureType,
  input: {
    summary: string;
    details?: string;
    signed?: string;
    /** Facts that replace the text in the signature, where they are the same in every occurrence. */
    facts?: readonly string[];
    cause?: string;
    fix?: string;
    /** Set when the program, or a reviewer of its work, explained what went wrong. */
    hasExplanation?: boolean;
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
        : buildFactsSignature(type, input.facts),
    summary: clip(oneLine(summary), limits.summary),
    details: clipStart(details, limits.failureDetails),
    rootCause: input.cause ?? strategy.cause,
    suggestedFix: input.fix ?? strategy.emphasis,
    ...(input.hasExplanation === false ? { unspecific: true } : {}),
    ...(input.code === undefined ? {} : { code: input.code }),
  };
}
