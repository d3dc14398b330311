import { readGlob, type Glob } from './glob.ts';

/** One line of a `.gitignore`. */
export interface IgnorePattern {
  /** `!`: it takes back what a line before it said. */
  isTakenBack: boolean;
  folderOnly: boolean;
  /** By the name alone, whatever folder it is in. */
  byName: boolean;
  matches: Glob;
}

/** The lines of a `.gitignore`, as git reads them; those that cannot be read are left out. */
export function readIgnorePatterns(text: string): IgnorePattern[] {
  return text.split('\n').flatMap((line) => readLine(line.replace(/\r$/, '')) ?? []);
}

/** Whether a path, from the folder of the `.gitignore`, is ignored; undefined: it says nothing about it. The last line that matches decides. */
export function isIgnored(patterns: readonly IgnorePattern[], path: string, isFolder: boolean): boolean | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const last = patterns.findLast(
    ({ folderOnly, byName, matches }) => (isFolder || !folderOnly) && matches(byName ? name : path),
  );
  return last === undefined ? undefined : !last.isTakenBack;
}

function readLine(line: string): IgnorePattern | undefined {
  if (line.startsWith('#')) return undefined;
  const isTakenBack = line.startsWith('!');
  // A space at the end counts only behind a backslash.
  const trimmed = line.slice(isTakenBack ? 1 : 0).replace(/(?<!\\) +$/, '');
  const folderOnly = trimmed.endsWith('/');
  const pattern = folderOnly ? trimmed.slice(0, -1) : trimmed;
  if (pattern === '') return undefined;
  const byName = !pattern.includes('/');
  // Git knows no braces.
  const matches = readGlob(pattern.replace(/(?<!\\)[{}]/g, '\\$&'));
  return matches === undefined ? undefined : { isTakenBack, folderOnly, byName, matches };
}
