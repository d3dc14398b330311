/** Limits of judges. Durations are milliseconds. */
export const judgeLimits = {
  /** Characters that one is shown, of which a file may have so many; and files. */
  prompt: 60_000,
  file: 20_000,
  files: 40,
  /** Bytes of a file that is read for that. */
  fileBytes: 1024 * 1024,
  /** Tokens of an answer, and of the window that stay free besides. */
  output: 4_000,
  spare: 500,
  /** One request: a provider that says nothing must not hold the subtask. */
  requestTimeout: 5 * 60_000,
  /** After a request that failed: without a word of the provider, and the longest that one may ask for. */
  wait: { first: 500, factor: 2, most: 60_000 },
  /** Characters of an answer that are kept. */
  answer: 32 * 1024,
} as const;
