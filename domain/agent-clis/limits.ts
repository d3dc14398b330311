/** What bounds the reading of an agent program's own output. */
export const cliLimits = {
  /** Characters of one line; a longer one is passed over: results of tools may be whole files, the program's result is not. */
  line: 4 * 1024 * 1024,
  /** Characters of its text that are kept, the end. */
  text: 2 * 1024 * 1024,
  /** Characters of an error's message, and the names that it may have. */
  message: 1_500,
  names: 8,
  name: 100,
  session: 200,
  /** Denials that are kept, and characters of each. */
  denials: 20,
  denial: 200,
} as const;
