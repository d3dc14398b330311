/** Limits of what a task keeps of the web and of tools of others. */
export const artifactLimits = {
  /** Artifacts of one task, and their bytes together: the oldest make room. */
  count: 200,
  bytes: 500_000_000,
  /** Places at which a text is found in one. */
  found: 100,
  /** Characters of a line that is shown; longer ones go on in the next. */
  lineLength: 480,
} as const;
