/** Limits for reading an agent program's own output. */
export const cliLimits = {
  /** Characters of one line; a longer line is skipped: a tool's result may be a whole file, the program's own result is not. */
  line: 4 * 1024 * 1024,
  /** Characters of its text that are kept, from the end. */
  text: 2 * 1024 * 1024,
  /** Characters of an error's message, and the number of its names. */
  message: 1_500,
  names: 8,
  name: 100,
  session: 200,
  /** Denials that are kept, and characters of each. */
  denials: 20,
  denial: 200,
} as const;
