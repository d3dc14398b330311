/** Search in texts of any language. */
export interface SearchPort {
  /** Ids of the entries that share a word with a text, the most relevant first. */
  searchTexts(entries: readonly { id: string; text: string }[], text: string): Promise<string[]>;
}
