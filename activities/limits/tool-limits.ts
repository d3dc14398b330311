/** Limits of the tools on files that an agent uses. Durations are milliseconds. */
export const toolLimits = {
  /** One call. */
  timeout: 10_000,
  /** Time limit of a tool that looks through many files. */
  searchTimeout: 20_000,
  /** A pattern in one file. */
  patternTimeout: 2_000,
  /** Bytes of a result that a model is shown, and of what is kept of the rest. */
  shownBytes: 8 * 1024,
  keptBytes: 1024 * 1024,
  /** Characters of one line that is shown: minified files have one line. */
  lineLength: 500,
  /** Lines of a file, unless the model says how many. */
  lines: 200,
  /** Bytes of a file that are read from its beginning. */
  readBytes: 16 * 1024 * 1024,
  /** An image that is shown: services take 5 MB as base64, and sides up to this. */
  imageBytes: 3_750_000,
  imageSide: 8_000,
  /** A larger file is not edited: the model has not seen most of it. */
  editedBytes: 2 * 1024 * 1024,
  /** A larger file is not searched; it is counted. */
  searchedBytes: 2 * 1024 * 1024,
  /** Bytes that are read of one `.gitignore`. */
  ignoreBytes: 32 * 1024,
  /** After this a search shows what it has found so far. */
  searchFor: 15_000,
  /** A larger file is known by size and time, not by its content. */
  hashedBytes: 64 * 1024 * 1024,
  /** Entries that one call looks at, and folders inside folders. */
  entries: 100_000,
  depth: 100,
  /** Entries that are listed of one folder. */
  listed: 5_000,
  /** Files that a pattern is answered with, and places in one file. */
  found: 1_000,
  foundPerFile: 20,
  /** Characters of arguments: a path, a pattern, what is said to people. */
  path: 4_096,
  pattern: 1_000,
  words: 10_000,
  /** Steps in a list of them. */
  todos: 100,
  /** How often a path is looked up again that changes meanwhile. */
  tries: 5,
} as const;
