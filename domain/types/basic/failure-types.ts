/** The kind of event. A closed set: reports, memory and recovery overrides are keyed by it. */
export const failureTypes = [
  'timeout',
  'empty-output',
  'format-invalid',
  'missing-sections',
  'diff-invalid',
  'merge-conflict',
  'context-missing',
  'tool-failed',
  'verification-failed',
  'verifier-unreadable',
  'evidence-gap',
  'unconfirmed-data',
  'rate-limited',
  'overloaded',
  'context-overflow',
  'auth',
  'permission',
  'subscription',
  'environment',
  'safety',
  'budget',
  'blocked',
  'cancelled',
  'unknown',
] as const;

export type FailureType = (typeof failureTypes)[number];

/** The meaning for recovery. */
export type FailureCategory = 'never-retry' | 'transient' | 'environment' | 'quality' | 'blocked';
