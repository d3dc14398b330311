import type { ErrorCode } from '../../errors/error-codes.ts';
import type { FailureCategory, FailureType } from './failure-types.ts';

/** The failure of an attempt: the event, its meaning, and the feedback for the next attempt. */
export interface Failure {
  type: FailureType;
  category: FailureCategory;
  signature: string;
  /** One line, at most 200 characters. */
  summary: string;
  details: string;
  rootCause: string;
  suggestedFix: string;
  /**
   * Nobody said in words what went wrong, so that the signature fits failures of other subtasks that have nothing to do with it: a
   * standing answer to it names the subtask.
   */
  unspecific?: true;
  /** The code of a failure that has an entry in docs/errors.md. */
  code?: ErrorCode;
}
