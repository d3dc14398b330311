/** Limits of the store, of what is read from it, and of what is kept out of it. Durations are milliseconds. */
export const storeLimits = {
  /** Pages of plans that are kept parsed, by the bytes they have in the store. */
  cachedPlanBytes: 8 * 1024 * 1024,
  /** Reading what a project knows: a task starts without its memory rather than late. */
  memoryRead: 5_000,
  /** How old the last use of a stored object must be before reading it is noted: retention counts in days. */
  storeUseNoted: 60 * 60_000,
  /** A stored object in which references to others are looked for: pages are much smaller, outputs may be larger. */
  referringBytes: 8 * 1024 * 1024,
  /** Values of variables that are kept out of everything that is shown or stored. */
  redact: {
    /** A shorter value is more likely a word than a secret. */
    shortest: 8,
    /** Bytes that are held back at most while a secret arrives in pieces; longer ones are looked for piece by piece. */
    longestPiece: 1024,
    /** A longer value is looked for as it is and line by line, not in its encoded forms: memory grows with each. */
    encoded: 16 * 1024,
  },
} as const;
