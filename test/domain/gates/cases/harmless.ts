import { readFileSync } from 'node:fs';

/*
 * A day's work of agents across ecosystems, one command a line (`\n` is a line end in it). None of it needs a person where there is a sandbox;
 * the test counts how many are asked about all the same, and that share may only fall.
 */
export const harmlessCommands: readonly string[] = readFileSync(new URL('harmless.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\t`, '\t'));
