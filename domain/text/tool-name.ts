import { readGlob } from './glob.ts';

/** Characters that the services of models take in the name of a tool, and how many. */
const mostCharacters = 64;
const refusedCharacter = /[^A-Za-z0-9_-]/g;

/** Names a tool of a server everywhere: in plans, in the config, in gate rules and in transcripts. */
export const buildToolName = (server: string, tool: string): string => shortenName(`mcp__${server}__${tool}`);

/** A name that is too long is cut, and keeps a hash of the whole: two long names stay two. */
export function shortenName(name: string): string {
  const plain = name.replace(refusedCharacter, '_');
  if (plain.length <= mostCharacters) return plain;
  const hash = hashText(name);
  return `${plain.slice(0, mostCharacters - hash.length - 1)}_${hash}`;
}

/** FNV-1a, 32 bits: names of one server are few, and a clash drops the second with a warning. */
function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash ^= character.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}

export const isPattern = (text: string): boolean => text.includes('*');

/** Decides if a name fits one of the patterns, in which `*` stands for any characters. */
export function fitsPattern(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => pattern === name || (isPattern(pattern) && readGlob(pattern)?.(name) === true));
}
