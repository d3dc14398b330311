/** One thing that a judge found. */
export interface ReadIssue {
  message: string;
  /** Of the criteria, from 1. */
  criterion?: number;
  path?: string;
}

/** What a judge's answer says. */
export interface Reading {
  /** `undecided`: it says itself that it cannot tell. */
  verdict: 'pass' | 'warn' | 'partial' | 'fail' | 'undecided';
  /** 0 to 1; undefined where it says none. */
  confidence: number | undefined;
  issues: ReadIssue[];
  feedback: string;
  missingEvidence: string[];
  /** As the judge names it. */
  reason: string;
  /** What is written around the answer. */
  remarks: string;
}
