/** A compiled pattern: decides if a path with `/` between its parts matches. */
export type Glob = (path: string) => boolean;

/** A literal character, or a wildcard. */
type GlobMark = { any: true } | { any: false; fits: (character: string) => boolean };

type GlobPart = 'folders' | GlobMark[];

/** Most alternatives that the braces of a pattern may expand to. */
const mostAlternatives = 100;

/**
 * `*` and `?` inside a name, `**` for any folders, `[a-z]`, `[!a-z]`, `{a,b}`, `\` before a literal character. Hidden names match like
 * others. Undefined when braces expand too far. Matching takes at most length times length, because patterns come from models.
 */
export function readGlob(pattern: string): Glob | undefined {
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) return undefined;
  const globs = alternatives.map(parseParts);
  return (path) => {
    const names = path.split('/').map((name) => Array.from(name));
    return globs.some((parts) =>
      fits(
        names,
        parts,
        (part) => part === 'folders',
        (name, part) => part !== 'folders' && fitsName(name, part),
      ),
    );
  };
}

function fitsName(name: readonly string[], marks: readonly GlobMark[]): boolean {
  return fits(
    name,
    marks,
    ({ any }) => any,
    (character, mark) => !mark.any && mark.fits(character),
  );
}

/** Matches items against marks with wildcards: only the last wildcard is ever tried again. */
function fits<I, M>(
  items: readonly I[],
  marks: readonly M[],
  isAny: (mark: M) => boolean,
  match: (item: I, mark: M) => boolean,
): boolean {
  let [at, next] = [0, 0];
  let retry: { mark: number; item: number } | undefined;
  while (at < items.length) {
    const [item, mark] = [items[at], marks[next]];
    if (mark !== undefined && isAny(mark)) {
      retry = { mark: next, item: at };
      next += 1;
    } else if (mark !== undefined && item !== undefined && match(item, mark)) {
      at += 1;
      next += 1;
    } else if (retry !== undefined) {
      retry.item += 1;
      at = retry.item;
      next = retry.mark + 1;
    } else return false;
  }
  return marks.slice(next).every(isAny);
}

function parseParts(pattern: string): GlobPart[] {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  const read = parts.map((part): GlobPart => (/^\*\*+$/.test(part) ? 'folders' : parseMarks(part)));
  // A pattern for everything below a folder does not match the folder.
  return read.at(-1) === 'folders' ? [...read, [{ any: true }]] : read;
}

const mark = /\\(?<meant>.)|(?<any>\*+)|(?<one>\?)|\[(?<not>[!^]?)(?<set>\]?[^\]]*)\]|(?<plain>.)/gsu;

function parseMarks(part: string): GlobMark[] {
  return [...part.matchAll(mark)].map(({ groups = {} }): GlobMark => {
    const { meant, any, one, not, set, plain } = groups;
    if (any !== undefined) return { any: true };
    if (one !== undefined) return { any: false, fits: () => true };
    if (set !== undefined) return { any: false, fits: (character) => isInSet(character, set) === (not === '') };
    return { any: false, fits: (character) => character === (meant ?? plain) };
  });
}

function isInSet(character: string, set: string): boolean {
  return [...set.matchAll(/(?<from>.)-(?<to>.)|(?<only>.)/gsu)].some(({ groups = {} }) => {
    const { from, to, only } = groups;
    return from === undefined || to === undefined ? character === only : from <= character && character <= to;
  });
}

/** Expands `{a,b}` to two patterns; a brace without an end or without a choice is literal. */
export function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let one = open.shift(); one !== undefined; one = open.shift()) {
    const braces = firstBraces(one);
    if (braces === undefined) done.push(one);
    else open.unshift(...braces.choices.map((choice) => braces.before + choice + braces.behind));
    if (done.length + open.length > mostAlternatives) return undefined;
  }
  return done;
}

function firstBraces(pattern: string): { before: string; choices: string[]; behind: string } | undefined {
  for (let start = 0; start < pattern.length; start += 1) {
    if (pattern[start] === '\\') start += 1;
    else if (pattern[start] === '{') {
      const braces = readBraces(pattern, start);
      if (braces !== undefined) return { before: pattern.slice(0, start), ...braces };
    }
  }
  return undefined;
}

function readBraces(pattern: string, start: number): { choices: string[]; behind: string } | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      choices.push(pattern.slice(from, at));
      from = at + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth > 0) continue;
      if (choices.length === 0) return undefined;
      return { choices: [...choices, pattern.slice(from, at)], behind: pattern.slice(at + 1) };
    }
  }
  return undefined;
}
