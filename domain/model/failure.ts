import type { ErrorCode } from '../error-codes.ts';
import type { FailureCategory, FailureType } from './failure-types.ts';

/** What an attempt's failure is: what happened, what it means, and the feedback for the next attempt. */
export interface Failure {
  type: FailureType;
  category: FailureCategory;
  signature: string;
  /** One line, at most 200 characters. */
  summary: string;
  details: string;
  rootCause: string;
  suggestedFix: string;
  /** Where it has an entry in docs/errors.md. */
  code?: ErrorCode;
}
