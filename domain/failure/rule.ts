import type { FailureType } from '../types/basic/failure-types.ts';

/** A rule that reads a failed program's output. Text is read only where no structured fact decides. */
export interface FailureRule {
  type: FailureType;
  /** The root cause in one plain sentence; by default that of the type. */
  cause?: string;
  /** Advice for the next attempt; by default that of the strategy. */
  fix?: string;
  /** Sentences, read in the last lines outside quotation marks, unless they are only mentioned. */
  sentences?: readonly RegExp[];
  /** Fixed forms that only the failing program prints, read a few lines further up too. */
  formed?: readonly RegExp[];
}
