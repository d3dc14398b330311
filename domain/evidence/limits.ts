/** Limits of evidence. Sizes are characters unless they say otherwise. */
export const evidenceLimits = {
  /** Records of one subtask over all its attempts. */
  records: 200,
  claim: 500,
  quote: 1_000,
  source: 500,
  target: 500,
  /** Characters that are read of each text before it is compared; the rest of a longer one is dropped. */
  given: 10_000,
  /** Bytes of a program's file of records, and of a list of targets. */
  fileBytes: 1024 * 1024,
  targetsBytes: 256 * 1024,
  /** Targets of one contract. */
  targets: 200,
  /** Bytes of a source that is searched for quotes. A larger one leaves its records claimed. */
  sourceBytes: 64 * 1024 * 1024,
  /** Pages of dependencies that a subtask hands on. */
  inherited: 100,
  /** Room in an executor's prompt, and in a judge's. */
  prompt: 3_000,
  judge: 4_000,
  /** Characters of a target in the sentence of an issue. */
  shownTarget: 200,
} as const;
