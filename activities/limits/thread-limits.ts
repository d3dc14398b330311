/** Limits of the threads in which parsers, patterns and documents of strangers are read. Durations are milliseconds. */
export const threadLimits = {
  /** Start of a thread; a busy machine may be slow. */
  startTimeout: 30_000,
  /** Threads of one kind that wait for the next job, and how long one does. */
  idle: 2,
  idleTime: 60_000,
  /** Time between two looks at the memory of a thread. */
  memoryEvery: 100,
} as const;
