import type { ShellWord } from '../shell/words/word.ts';

/** Names by which a filter of jq reaches other files, or the environment. */
const jqReaches = /\b(?:import|include|env|modulemeta|get_search_list)\b|\$ENV|\$__prog/;

/** A reader may be given a script that opens other files than its operands say. */
export function opensFiles(name: string, words: readonly ShellWord[]): boolean {
  // It may put names into the list of its operands.
  if (/^[gmn]?awk$/.test(name)) return words.some(({ text }) => /\bARG[VC]\b/.test(text));
  return name === 'jq' && words.some(({ text }) => jqReaches.test(text));
}
