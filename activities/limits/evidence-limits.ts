/** Limits of the search for the sources of evidence. Durations are milliseconds. */
export const evidenceLimits = {
  /** Bytes of the conversations of a task that are looked through for sources that its agents read. */
  conversationBytes: 64 * 1024 * 1024,
  /** Results of reading calls in which one quote is looked for, the newest first. */
  readsPerQuote: 200,
  /** One question to git about a revision, and bytes that it may print. */
  git: 20_000,
  /** Time in which a file's clock may run behind ours. */
  clockSlack: 50,
  /** Bytes of a ledger that another task left. */
  ledgerBytes: 64 * 1024 * 1024,
  /** Time to look at what the task itself wrote. */
  history: 60_000,
} as const;
