/** A pattern that was read: whether a path with `/` between its parts matches. */
export type Glob = (path: string) => boolean;

/** A character, or what stands for some. */
type Mark = { any: true } | { any: false; fits: (character: string) => boolean };

type Part = 'folders' | Mark[];

/** Alternatives that braces may stand for together. */
const mostAlternatives = 100;

/**
 * `*` and `?` inside a name, `**` for any folders, `[a-z]`, `[!a-z]`, `{a,b}`, `\` before a character that is meant. Hidden names match like
 * others. Undefined when braces stand for too much. Matching takes at most length times length: patterns come from models.
 */
export function readGlob(pattern: string): Glob | undefined {
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined) return undefined;
  const globs = alternatives.map(partsOf);
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

function fitsName(name: readonly string[], marks: readonly Mark[]): boolean {
  return fits(
    name,
    marks,
    ({ any }) => any,
    (character, mark) => !mark.any && mark.fits(character),
  );
}

/** Items against marks of which some stand for any number of items: only the last of those is ever tried again. */
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

function partsOf(pattern: string): Part[] {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  const read = parts.map((part): Part => (/^\*\*+$/.test(part) ? 'folders' : marksOf(part)));
  // What is below a folder is not the folder.
  return read.at(-1) === 'folders' ? [...read, [{ any: true }]] : read;
}

const mark = /\\(?<meant>.)|(?<any>\*+)|(?<one>\?)|\[(?<not>[!^]?)(?<set>\]?[^\]]*)\]|(?<plain>.)/gsu;

function marksOf(part: string): Mark[] {
  return [...part.matchAll(mark)].map(({ groups = {} }): Mark => {
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

/** `{a,b}` as two patterns; a brace without its end, or with nothing to choose from, is a brace. */
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
      const found = readBraces(pattern, start);
      if (found !== undefined) return { before: pattern.slice(0, start), ...found };
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
