/** Limits of the search for model servers that no config names. Durations are milliseconds. */
export const discoveryLimits = {
  /** The time that a model server of this machine has to list its models before a command goes on without it. */
  patience: 300,
  /** Largest list of models, in characters. */
  answerBytes: 1024 * 1024,
  /** Largest file of an agent program that is read for its login. */
  loginBytes: 16 * 1024 * 1024,
} as const;
