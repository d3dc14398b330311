import { parse } from 'smol-toml';
import type { PlanPath } from './problem.ts';

/** Offsets of a key and of its value. */
export interface TomlLocation {
  key: number;
  value: number;
}

/** The locations of the keys of a text. */
export class TomlLocations {
  readonly #spots = new Map<string, TomlLocation>();

  /** The first mention counts, because a table may be extended later. */
  add(path: PlanPath, location: TomlLocation): void {
    const key = JSON.stringify(path);
    if (!this.#spots.has(key)) this.#spots.set(key, location);
  }

  /** Finds the location of a path, or of the nearest table around it. */
  find(path: PlanPath): TomlLocation | undefined {
    for (let length = path.length; length > 0; length -= 1) {
      const location = this.#spots.get(JSON.stringify(path.slice(0, length)));
      if (location !== undefined) return location;
    }
    return undefined;
  }
}

/**
 * Finds the keys of a text that the parser has accepted, because the parser keeps no positions. Since the text is valid, only the ends of
 * keys and values have to be found.
 */
export function findTomlLocations(text: string): TomlLocations {
  return new Scanner(text).scan();
}

class Scanner {
  readonly #text: string;
  readonly #spots = new TomlLocations();
  /** The number of tables of each array so far. */
  readonly #lengths = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): TomlLocations {
    let table: PlanPath = [];
    while (this.#skip(/(?:[\s\uFEFF]|#[^\n]*)*/y)) {
      const start = this.#at;
      if (this.#text[this.#at] === '[') table = this.#header();
      else this.#pair(table);
      this.#moveOn(start);
    }
    return this.#spots;
  }

  /** `[a.b]` or `[[a.b]]`: the path that the keys below it belong to. */
  #header(): PlanPath {
    const isArray = this.#text.startsWith('[[', this.#at);
    this.#at += isArray ? 2 : 1;
    this.#skip(/[ \t]*/y);
    const start = this.#at;
    const names = this.#key(']');
    this.#at += isArray ? 2 : 1;
    let path: PlanPath = [];
    for (const [depth, name] of names.entries()) {
      path = [...path, name];
      this.#spots.add(path, { key: start, value: start });
      const array = JSON.stringify(path);
      const length = this.#lengths.get(array) ?? 0;
      const isNew = isArray && depth === names.length - 1;
      if (isNew) this.#lengths.set(array, length + 1);
      if (isNew || length > 0) path = [...path, isNew ? length : length - 1];
    }
    this.#spots.add(path, { key: start, value: start });
    return path;
  }

  #pair(table: PlanPath): void {
    const start = this.#at;
    const names = this.#key('=');
    this.#at += 1;
    this.#skip(/[ \t]*/y);
    const value = this.#at;
    for (let depth = 1; depth < names.length; depth += 1) {
      this.#spots.add([...table, ...names.slice(0, depth)], { key: start, value: start });
    }
    const path = [...table, ...names];
    this.#spots.add(path, { key: start, value });
    this.#value(path);
  }

  #value(path: PlanPath): void {
    const [first] = this.#text.slice(this.#at, this.#at + 1);
    if (first === '[') this.#items(path);
    else if (first === '{') this.#inline(path);
    else if (first === '"' || first === "'") this.#string(first);
    else this.#skip(/[^,\]}#\n\r]*/y);
  }

  #items(path: PlanPath): void {
    this.#at += 1;
    for (let index = 0; this.#more(']'); index += 1) {
      const start = this.#at;
      this.#spots.add([...path, index], { key: start, value: start });
      this.#value([...path, index]);
      this.#moveOn(start);
    }
    this.#at += 1;
  }

  #inline(path: PlanPath): void {
    this.#at += 1;
    while (this.#more('}')) {
      const start = this.#at;
      this.#pair(path);
      this.#moveOn(start);
    }
    this.#at += 1;
  }

  /** Unknown syntax may cost positions, but never causes an endless loop. */
  #moveOn(from: number): void {
    if (this.#at === from) this.#at = this.#text.length;
  }

  /** Goes to the next item; false at the end of the list. */
  #more(end: string): boolean {
    return this.#skip(/(?:[\s,]|#[^\n]*)*/y) && this.#text[this.#at] !== end;
  }

  #string(quote: string): void {
    const triple = quote.repeat(3);
    if (this.#text.startsWith(triple, this.#at)) {
      // Up to two quotes may precede the three that end the string.
      this.#skip(quote === '"' ? /"""(?:\\[^]|(?!""")[^])*"{3,5}/y : /'''(?:(?!''')[^])*'{3,5}/y);
    } else this.#skip(quote === '"' ? /"(?:\\.|[^"\\])*"/y : /'[^']*'/y);
  }

  /** Reads the parts of a key up to the character that ends it, with the parser itself. */
  #key(end: '=' | ']'): string[] {
    const start = this.#at;
    while (this.#at < this.#text.length && this.#text[this.#at] !== end) {
      const before = this.#at;
      const quote = this.#text[before];
      if (quote === '"' || quote === "'") {
        this.#string(quote);
        this.#moveOn(before);
      } else this.#at += 1;
    }
    return listKeyParts(this.#text.slice(start, this.#at));
  }

  /** Skips what the pattern matches; false at the end of the text. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
    return this.#at < this.#text.length;
  }
}

function parseKey(key: string): unknown {
  try {
    return parse(`${key} = 0`);
  } catch {
    // Text that is not a key has no position: see `#moveOn`.
    return undefined;
  }
}

function listKeyParts(key: string): string[] {
  const bare = key.split('.').map((part) => part.trim());
  if (bare.every((part) => /^[A-Za-z0-9_-]+$/.test(part))) return bare;
  const names: string[] = [];
  let here: unknown = parseKey(key);
  while (typeof here === 'object' && here !== null) {
    const [name = ''] = Object.keys(here);
    names.push(name);
    here = Reflect.get(here, name);
  }
  return names;
}
