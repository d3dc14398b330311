import type { ShellWord } from './word.ts';

/** The standard input of a program. */
export type ProgramInput =
  | { kind: 'nothing' }
  /** It stands in the command itself. */
  | {
      kind: 'text';
      text: string;
      /** Nothing else reads it, and nothing of it is changed on the way. */ exact?: boolean;
    }
  /** Names of files below the folder that it runs in. */
  | { kind: 'files' }
  /** It stands there with holes (`words`), or comes from a file or a program. */
  | { kind: 'words' | 'open'; network: boolean };

/** One program that is started, or may be. */
export interface ProgramCall {
  /** The program first. */
  words: readonly ShellWord[];
  /** Words of it that another program gets. */
  passed: ReadonlySet<ShellWord>;
  /** The words of what starts it, the outermost first: `sudo sh -c "..."`, then `sh -c "..."`. */
  within: readonly (readonly ShellWord[])[];
  /** Folders in which it may run; more than one where a `cd` before it may have failed. */
  folders: readonly string[];
  input: ProgramInput;
  /** Something from the network is among its words or on its input. */
  network: boolean;
  /** A guess: the name of a program among the words of another one. */
  guess: boolean;
}

/** A file that the shell itself opens for a command. */
export interface OpenedFile {
  word: ShellWord;
  writes: boolean;
  folders: readonly string[];
}

/** A variable that is set, for one program or for all that follow. */
export interface VariableAssignment {
  name: string;
  words: readonly ShellWord[];
}

/** All that a command comes to, as far as it can be read. */
export interface CommandReading {
  calls: ProgramCall[];
  files: OpenedFile[];
  settings: VariableAssignment[];
  /** Names of functions that the command defines. Their bodies are among the calls. */
  functions: Set<string>;
  /** Every folder that it may be in at some time. */
  folders: Set<string>;
  /** Why a part of it cannot be read, in sentences. */
  problems: Set<string>;
  /** The same, where it only counts without a sandbox: files may say what it does. */
  doubts: Set<string>;
}

export const noInput: ProgramInput = { kind: 'nothing' };
