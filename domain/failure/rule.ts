import type { FailureType } from '../types/basic/failure-types.ts';

/** What a failed program's words mean: data. Text is read only where no structured fact tells. */
export interface FailureRule {
  type: FailureType;
  /** The root cause in one plain sentence; the type's own where it is left out. */
  cause?: string;
  /** What the next attempt should do; the strategy's own words where it is left out. */
  fix?: string;
  /** Sentences, in the last words and outside quotation marks, unless they are only mentioned. */
  sentences?: readonly RegExp[];
  /** Forms that nothing but the failing program prints, a few lines further up too. */
  formed?: readonly RegExp[];
}
