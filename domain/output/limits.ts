/** What bounds an answer that a model or a program gives as JSON. */
export const outputLimits = {
  /** The longest answers of today's models are half of this. */
  bytes: 1024 * 1024,
  /** Brackets inside brackets; answers need ten. */
  depth: 64,
  /** Values in one answer, all its objects together: a schema explains every one that does not fit, at up to 0.1 ms and 5 kB each. */
  values: 10_000,
  /** Fences, and objects between words, that are looked at. */
  candidates: 200,
  /** Characters that are mended, of all objects of an answer together: the time grows with the square. */
  mendedCharacters: 32 * 1024,
  /** Brackets in what is mended: each may be a level of the mender's stack, whatever its quotes say. */
  mendedBrackets: 1_000,
  /** Quotes inside words in what is mended: the time grows with their square again, 8,192 characters of them take seconds. */
  looseQuotes: 100,
  /** Misfits that a reason names, the characters of one, and the keys that a suggestion names. */
  misfits: 3,
  misfit: 120,
  namedKeys: 20,
  /** A completion contract is one line of output; a longer one is output, not a contract. */
  contractLine: 64 * 1024,
} as const;
