import type { ReadWord } from './read-word.ts';
import type { Input, Sheet } from './command-reading.ts';
import type { Found, Variables } from './variables.ts';
import type { Word } from './word.ts';

/** Where a path leads from a folder, by the links that are there. */
export type Resolve = (path: string, from: string) => string;

/** What is known where a command stands. */
export interface Scope {
  sheet: Sheet;
  variables: Variables;
  readWord: ReadWord;
  folders: readonly string[];
  input: Input;
  within: readonly (readonly Word[])[];
  /** How many programs and texts it is inside of. */
  depth: number;
  inLoop: boolean;
  inFunction: boolean;
  guess: boolean;
  /** The commands come from an input that the programs in them share. */
  sharesInput: boolean;
  /** What all texts together give to variables. */
  all: Found;
  /** Looks at what can only be judged when all texts are read. */
  later: (() => void)[];
  resolve: Resolve;
  /** Reads the text that another shell is told to run. */
  readText: (text: string, scope: Scope) => void;
}

/** The folders after a command: if it succeeded, and whatever it did. */
export interface Moved {
  ok: readonly string[];
  all: readonly string[];
}

export const stay = ({ folders }: Pick<Scope, 'folders'>): Moved => ({ ok: folders, all: folders });

export const union = (...lists: (readonly string[])[]): string[] => [...new Set(lists.flat())];
