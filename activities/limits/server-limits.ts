/** Limits of servers of tools. Durations are milliseconds. */
export const serverLimits = {
  /** One message of a server: a larger one ends it. */
  messageBytes: 8 * 1024 * 1024,
  /** Pages of a list of tools, and tools in all of them. */
  listPages: 64,
  listedTools: 1_000,
  /** How long a list is taken for true, and the least time between two refreshes that a server asks for. */
  listAge: 10 * 60_000,
  listPause: 30_000,
  /** Characters of a tool's own name. */
  toolName: 128,
  /** The longest start, whatever the config says: a task is prepared within three minutes. */
  longestStart: 2 * 60_000,
  /** Until a server that was asked to end is ended. */
  closing: 1_000,
  /** Lines of a server's errors that a person is shown. */
  errorLines: 5,
  /** Characters of one line about progress that people see, and how often. */
  progressText: 200,
  progressPause: 1_000,
  /** Characters of a link or a title in a result. */
  linkText: 500,
  /** Tries of a call that changes nothing, where the connection was lost. */
  readTries: 2,
} as const;
