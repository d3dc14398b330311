import { readFileSync } from 'node:fs';

/** One command a line; `\n` and `\t` are a line end and a tab in it. */
const readList = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\t`, '\t'));

/**
 * A day's work of agents across ecosystems. None of it needs a person where there is a sandbox; the test counts how many are asked about all
 * the same, and that share may only fall.
 */
export const harmlessCommands: readonly string[] = readList('must-not-ask.txt');

/** Commands that never run unasked, with or without a sandbox. */
export const dangerousCommands: readonly string[] = readList('must-ask.txt');
