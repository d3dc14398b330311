/** Limits of the calls of models. Durations are milliseconds. */
export const modelLimits = {
  /** Body of one reply, unpacked: hundred times what a model says at once. */
  replyBytes: 16 * 1024 * 1024,
  /** Bytes that are read of an error's body: its explanation is at the start. */
  errorBytes: 64 * 1024,
  /** Characters of a provider's own words that an error carries. */
  words: 400,
  /** One request by an agent program; those who ask have shorter limits of their own. */
  program: 15 * 60_000,
  connectTimeout: 30_000,
  /** Between two pieces of a body. None before the first: a model may think for long. */
  silence: 10 * 60_000,
  /** Tokens for thinking where it is asked for; no more than a quarter of a model's context, no fewer than providers take. */
  thinkingTokens: 16_000,
  leastThinkingTokens: 1_024,
  /** A script: far above what people write. */
  scriptBytes: 2 * 1024 * 1024,
} as const;
