import { programName, type ShellWord } from '../shell/words/word.ts';

/** Verbs that are never the value of an option before them. */
const plainVerbs = /^(?:run|run-script|test|install|ci|exec|build|start|add|lint|ls|list|help|version|init|view|info)$/;
const mostVerbs = 4;

/**
 * The words that say what a program with many commands is to do: `docker system prune` gives `system`, `prune`. Which options take a value is
 * not known of each program, so a word behind an option may be the first verb or not: each way of reading is one list.
 */
export function readVerbs(words: readonly ShellWord[]): string[][] {
  const readings: string[][] = [];
  const operands = words.flatMap((word, at) => (at > 0 && !word.text.startsWith('-') ? [{ text: word.text, at }] : []));
  for (const [index, { text, at }] of operands.entries()) {
    readings.push(operands.slice(index, index + mostVerbs).map((operand) => operand.text));
    const before = words[at - 1]?.text ?? '';
    const mayBeValue = at > 1 && before.startsWith('-') && !before.includes('=') && !plainVerbs.test(text);
    if (!mayBeValue || readings.length >= mostVerbs) break;
  }
  return readings;
}

/** Some reading of the words begins with these verbs: `system prune`. A star stands for any verb. */
export function hasVerbs(words: readonly ShellWord[], sequence: string): boolean {
  const verbs = sequence.split(' ');
  const shortest = shortestVerbs.get(programName(words[0]?.text ?? ''));
  const isVerb = (text: string | undefined, verb: string): boolean =>
    text === verb ||
    (text !== undefined && (verb === '*' || (text.length >= (shortest ?? Infinity) && verb.startsWith(text))));
  return readVerbs(words).some((reading) => verbs.every((verb, at) => isVerb(reading[at], verb)));
}

/** Programs that take the beginning of a verb for the verb, and how much of it they need at least. */
const shortestVerbs: ReadonlyMap<string, number> = new Map([
  ...['npm', 'hg', 'sl'].map((name) => [name, 3] as const),
  ...['gem', 'btrfs', 'bundle'].map((name) => [name, 2] as const),
]);
