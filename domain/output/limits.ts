/** Limits for an answer that a model or a program gives as JSON. */
export const outputLimits = {
  /** The longest answers of today's models are half of this. */
  bytes: 1024 * 1024,
  /** Brackets inside brackets; answers need ten. */
  depth: 64,
  /** Values in all objects of one answer: a schema explains each misfit, at up to 0.1 ms and 5 kB. */
  values: 10_000,
  /** Fences, and objects within prose, that are read. */
  candidates: 200,
  /** Characters of all repaired objects of an answer together: the time grows with the square. */
  mendedCharacters: 32 * 1024,
  /** Brackets in a repaired text: each may be a level of the repair's stack, whatever its quotes say. */
  mendedBrackets: 1_000,
  /** Quotes inside words of a repaired text: the time grows with their square too, 8,192 characters of them take seconds. */
  looseQuotes: 100,
  /** Misfits that a reason names, characters of one misfit, and keys that a suggestion names. */
  misfits: 3,
  misfit: 120,
  namedKeys: 20,
  /** A completion contract is one line of output; a longer line is output, not a contract. */
  contractLine: 64 * 1024,
} as const;
