/** Limits of the checks of a result. Durations are milliseconds. */
export const checkLimits = {
  /** A file or stdout that checks read whole; above it an advisory issue says that it was not checked. */
  maxCheckedBytes: 5 * 1024 * 1024,
  /** A deliverable whose lines are counted. */
  maxCountedBytes: 64 * 1024 * 1024,
  /** Files that a folder or a rule's globs may stand for. */
  maxCheckedFiles: 1_000,
  /** One file in a parser or under a rule's pattern: a pattern that explodes must not hold the worker. */
  inspectTimeout: 5_000,
  /** Heap of the thread that parses and searches, in MB. */
  inspectMemory: 512,
  /** The most values that aliases of one YAML anchor may stand for together; more is a bomb. */
  maxYamlAliases: 10_000,
  /** Findings named per file: the first lines are enough to correct the rest. */
  findingsPerFile: 5,
  /** `git apply --check`. */
  diffCheckTimeout: 30_000,
  /** A verdict enters the history: its size as JSON, its issues, the sentence and the details of one. */
  verdictBytes: 8_000,
  verdictIssues: 10,
  issueMessage: 300,
  issueDetails: 600,
  /** Files of a result whose hashes travel with it. */
  stampedFiles: 50,
} as const;
