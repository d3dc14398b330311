/** One issue that a judge reported. */
export interface ReadIssue {
  message: string;
  /** The number of the criterion, from 1. */
  criterion?: number;
  path?: string;
}

/** The content of a judge's reply. */
export interface JudgeReading {
  /** `undecided`: the judge says that it cannot decide. */
  verdict: 'pass' | 'warn' | 'partial' | 'fail' | 'undecided';
  /** 0 to 1; undefined where the reply has none. */
  confidence: number | undefined;
  issues: ReadIssue[];
  feedback: string;
  missingEvidence: string[];
  /** The reason in the judge's own wording. */
  reason: string;
  /** The text around the answer. */
  remarks: string;
}
