import type { ParsedScript } from 'unbash';
import { programName } from './word.ts';

/*
 * The output of a program may be calculated with. Whether commands can stand in it depends on the words that the program is given, and on
 * whether it prints anything but numbers.
 */

/** Words that shape what a program prints: brackets, escapes, and programs that turn one text into another. */
const shapes =
  /[[\\]|\b(?:rev|tr|base(?:32|64|nc)|xxd|od|openssl|uudecode|eval|jq|yq|dc|m4|iconv|recode|envsubst|gunzip|zcat|bzcat|xzcat|gzip|bzip2|xz|zstd)\b/;

/** Awk makes any character of its number. */
const awkPrints = /\b[gmn]?awk\b[^]*(?:printf|FMT)/i;

/** The words of a substitution may make a command that is not among them. */
export const mayMakeCommands = (text: string): boolean => shapes.test(text) || awkPrints.test(text);

/** Programs that print nothing but numbers, with the words that they are given. */
const numbers: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  wc: (words) => words.every((word) => word.startsWith('-') && !word.startsWith('--files')),
  nproc: () => true,
  date: (words) => words.every((word) => /^(?:\+[%sYmdHMSNjuw:-]+|-u)$/.test(word)),
  id: (words) => words.every((word) => /^-[ug]$/.test(word)) && words.length > 0,
  grep: (words) =>
    words.some((word) => /^-[a-zA-Z]*c/.test(word)) && words.filter((word) => !word.startsWith('-')).length < 3,
  stat: (words) => words.some((word, at) => word === '-c' && /^%[sYXZauginh]$/.test(words[at + 1] ?? '')),
  seq: () => true,
  git: (words) => words[0] === 'rev-list' && words.includes('--count'),
};

/** Some substitutions print numbers alone. */
export function isNumberOutput(script: ParsedScript | undefined): boolean {
  const [statement, more] = script?.commands ?? [];
  if (statement === undefined || more !== undefined) return false;
  const { command } = statement;
  const last = command.type === 'Pipeline' ? command.commands.at(-1) : command;
  if (last?.type !== 'Command' || last.name === undefined || last.name.parts !== undefined) return false;
  const name = programName(last.name.value);
  const words = last.args.flatMap((word) => (word.type === 'Word' ? [word.value] : []));
  return Object.hasOwn(numbers, name) && numbers[name]?.(words) === true;
}
