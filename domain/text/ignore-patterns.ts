import { readGlob, type Glob } from './glob.ts';

/** One line of a `.gitignore`. */
export interface IgnorePattern {
  /** The line begins with `!`, so it reverses earlier lines. */
  isTakenBack: boolean;
  folderOnly: boolean;
  /** The pattern matches the name alone, in any folder. */
  byName: boolean;
  matches: Glob;
}

/** Reads the lines of a `.gitignore` as git does; lines that git could not read are skipped. */
export function readIgnorePatterns(text: string): IgnorePattern[] {
  return text.split('\n').flatMap((line) => readLine(line.replace(/\r$/, '')) ?? []);
}

/** Decides if a path relative to the `.gitignore` is ignored; undefined where no line matches. The last matching line wins. */
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
  // A space at the end counts only after a backslash.
  const trimmed = line.slice(isTakenBack ? 1 : 0).replace(/(?<!\\) +$/, '');
  const folderOnly = trimmed.endsWith('/');
  const pattern = folderOnly ? trimmed.slice(0, -1) : trimmed;
  if (pattern === '') return undefined;
  const byName = !pattern.includes('/');
  // Git does not expand braces.
  const matches = readGlob(pattern.replace(/(?<!\\)[{}]/g, '\\$&'));
  return matches === undefined ? undefined : { isTakenBack, folderOnly, byName, matches };
}
