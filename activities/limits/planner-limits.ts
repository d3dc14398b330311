/** Limits of the model that plans a goal. Durations are milliseconds. */
export const plannerLimits = {
  /** Files of the workspace that it is shown, and characters of all their names. */
  files: 500,
  listing: 16_000,
  /** Tokens of an answer, and of the window that stay free besides. */
  output: 12_000,
  spare: 500,
  requestTimeout: 5 * 60_000,
  /** Characters of an answer that are kept. */
  answer: 128 * 1024,
  /** Those that are repeated to it with what was wrong, tried in this order. */
  repeated: [128 * 1024, 4_000, 1_000, 200],
  /** Bytes of a file that may say how the project tests itself. */
  testFile: 256 * 1024,
} as const;
