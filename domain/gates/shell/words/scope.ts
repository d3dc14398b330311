import type { ParsedScript } from 'unbash';
import type { ReadWord } from './read-word.ts';
import type { ProgramInput, CommandReading } from './command-reading.ts';
import type { VariablesDraft, Variables } from './variables.ts';
import type { ShellWord } from './word.ts';

/** The place to which a path leads from a folder, by the links that are there. */
export type Resolve = (path: string, from: string) => string;

/** The surroundings of a command while it is read. */
export interface Scope {
  reading: CommandReading;
  variables: Variables;
  readWord: ReadWord;
  folders: readonly string[];
  input: ProgramInput;
  within: readonly (readonly ShellWord[])[];
  /** How many programs and texts it is inside of. */
  depth: number;
  inLoop: boolean;
  inFunction: boolean;
  guess: boolean;
  /** The commands come from an input that the programs in them share. */
  sharesInput: boolean;
  /** The values that all texts together give to variables. */
  all: VariablesDraft;
  /** Looks at what can only be judged when all texts are read. */
  later: (() => void)[];
  resolve: Resolve;
  /** Reads the text that another shell is told to run. */
  readText: (text: string, scope: Scope) => void;
  /** Reads a script that the shell runs while it puts a word together. */
  readScript: (script: ParsedScript, scope: Scope) => void;
}

/** The folders after a command: if it succeeded, and whatever it did. */
export interface Moved {
  ok: readonly string[];
  all: readonly string[];
}

export const stay = ({ folders }: Pick<Scope, 'folders'>): Moved => ({ ok: folders, all: folders });

export const union = (...lists: (readonly string[])[]): string[] => [...new Set(lists.flat())];
