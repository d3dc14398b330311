/** A script of sed may start programs or write files (`e`, `w`, `s///e`, `s///w`); a script that cannot be read counts as one that does. */
export const sedRuns = (script: string): boolean => readScript(script).runs;

/** The files that a script of sed prints (`r`, `R`). */
export const sedFiles = (script: string): string[] => readScript(script).files;

function readScript(script: string): { runs: boolean; files: string[] } {
  const reader: Reader = { script, at: 0, files: [] };
  while (reader.at < script.length) {
    if (skip(reader, /[\s;{}]+/y)) continue;
    if (skip(reader, /#[^\n]*/y)) continue;
    skipAddresses(reader);
    if (runsCommand(reader)) return { runs: true, files: reader.files };
  }
  return { runs: false, files: reader.files };
}

interface Reader {
  script: string;
  at: number;
  files: string[];
}

function skip(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.script)?.[0];
  if (match === undefined) return false;
  reader.at += match.length;
  return true;
}

function skipAddresses(reader: Reader): void {
  if (skipAddress(reader)) {
    skip(reader, /\s*~\s*\d+/y);
    if (skip(reader, /\s*,\s*/y) && !skip(reader, /[+~]\s*\d+/y)) skipAddress(reader);
  }
  skip(reader, /[\s!]+/y);
}

function skipAddress(reader: Reader): boolean {
  if (skip(reader, /\d+|\$/y)) return true;
  if (skip(reader, /\\(?=[^\n\\])/y) || reader.script[reader.at] === '/') {
    skipDelimited(reader, 1);
    skip(reader, /[IM]+/y);
    return true;
  }
  return false;
}

/** Brackets of a pattern, in which a delimiter is a character. */
const brackets = /\[\^?\]?(?:\[[:.=][^\]]*\]|[^\]])*\]/y;

/** From one delimiter to the next, so many times. The first part is a pattern, but for `y`. */
function skipDelimited(reader: Reader, times: number, isPattern = true): void {
  const delimiter = reader.script[reader.at];
  reader.at += 1;
  let left = times;
  while (left > 0 && reader.at < reader.script.length) {
    const character = reader.script[reader.at];
    if (isPattern && left === times && character === '[' && delimiter !== '[' && skip(reader, brackets)) continue;
    if (character === '\\') reader.at += 1;
    else if (character === delimiter) left -= 1;
    reader.at += 1;
  }
}

/** A command of sed may do more than change text; a command that sed does not have counts so, too. */
function runsCommand(reader: Reader): boolean {
  const command = reader.script[reader.at];
  reader.at += 1;
  switch (command) {
    case 's':
      skipDelimited(reader, 2);
      return flagsRun(reader);
    case 'y':
      skipDelimited(reader, 2, false);
      return false;
    case 'a':
    case 'i':
    case 'c':
      skip(reader, /(?:[^\n\\]|\\[^]|\\$)*/y);
      return false;
    case ':':
    case 'b':
    case 't':
    case 'T':
    case 'r':
    case 'R':
      // The name goes on to the end of the line; readers that end it before are followed, too.
      for (const end of [/^[^\n]*/, /^[^\n;}]*/])
        reader.files.push((end.exec(reader.script.slice(reader.at))?.[0] ?? '').trim());
      skip(reader, /[^\n;}]*/y);
      return false;
    case 'v':
      skip(reader, /[^\n;}]*/y);
      return false;
    case '{':
    case '}':
      return false;
    default:
      skip(reader, /[ \t]*\d*/y);
      return command === undefined || !/[dDgGhHnNpPxz=lLqQF]/.test(command);
  }
}

function flagsRun(reader: Reader): boolean {
  const start = reader.at;
  skip(reader, /[a-zA-Z0-9]*/y);
  return /[ew]/.test(reader.script.slice(start, reader.at));
}
